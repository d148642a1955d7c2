//! The suite that is written while the search goes on.

use symcrete_testcase::suite::Written;
use symcrete_testcase::{Format, TestCase, Writer};

use crate::args::CoverArgs;
use crate::error::Error;

pub struct Suite {
    writer: Writer,
    written: usize,
}

impl Suite {
    pub fn new(args: &CoverArgs) -> Result<Suite, Error> {
        let formats = args.formats.iter().map(|name| name.parse::<Format>()).collect::<Result<Vec<Format>, _>>()?;
        Ok(Suite { writer: Writer::new(&args.out, &formats)?, written: 0 })
    }

    pub fn written(&self) -> usize {
        self.written
    }

    pub fn write(&mut self, test: &TestCase) -> Result<Written, Error> {
        let written = self.writer.write(test)?;
        self.written += 1;
        Ok(written)
    }

    /// What replay said of a test.
    pub fn settle(&mut self, number: usize, test: &TestCase, diverged: bool) -> Result<(), Error> {
        self.writer.rewrite(number, test)?;
        if diverged {
            self.writer.set_apart(number)?;
            self.written -= 1;
        }
        Ok(())
    }
}
