//! A reader and a writer of KLEE's .ktest files, version 3, that follow KLEE's `lib/Basic/KTest.cpp` and share nothing with Symcrete's:
//! "KTEST", then big-endian words of 32 bits: the version, the arguments, two words about symbolic arguments, the objects.

#[derive(Debug, Default)]
pub struct KTest {
    pub arguments: Vec<Vec<u8>>,
    pub symbolic_arguments: u32,
    pub symbolic_length: u32,
    /// Names and bytes.
    pub objects: Vec<(Vec<u8>, Vec<u8>)>,
}

pub fn parse(file: &[u8]) -> Result<KTest, String> {
    let mut rest = file.strip_prefix(b"KTEST").ok_or("it does not begin with KTEST")?;
    if word(&mut rest)? != 3 {
        return Err("it is not of version 3".to_owned());
    }
    let mut read = KTest::default();
    for _ in 0..word(&mut rest)? {
        read.arguments.push(text(&mut rest)?);
    }
    read.symbolic_arguments = word(&mut rest)?;
    read.symbolic_length = word(&mut rest)?;
    for _ in 0..word(&mut rest)? {
        let name = text(&mut rest)?;
        read.objects.push((name, text(&mut rest)?));
    }
    if rest.is_empty() { Ok(read) } else { Err(format!("{} bytes are left over", rest.len())) }
}

fn word(rest: &mut &[u8]) -> Result<u32, String> {
    let (word, after) = rest.split_first_chunk::<4>().ok_or("it ends within a number")?;
    *rest = after;
    Ok(u32::from_be_bytes(*word))
}

fn text(rest: &mut &[u8]) -> Result<Vec<u8>, String> {
    let length = word(rest)? as usize;
    let (text, after) = rest.split_at_checked(length).ok_or("it ends within a text")?;
    *rest = after;
    Ok(text.to_vec())
}

pub fn to_bytes(test: &KTest) -> Vec<u8> {
    fn put(file: &mut Vec<u8>, text: &[u8]) {
        file.extend((text.len() as u32).to_be_bytes());
        file.extend(text);
    }
    let mut file = b"KTEST".to_vec();
    file.extend(3u32.to_be_bytes());
    file.extend((test.arguments.len() as u32).to_be_bytes());
    test.arguments.iter().for_each(|argument| put(&mut file, argument));
    file.extend(test.symbolic_arguments.to_be_bytes());
    file.extend(test.symbolic_length.to_be_bytes());
    file.extend((test.objects.len() as u32).to_be_bytes());
    for (name, bytes) in &test.objects {
        put(&mut file, name);
        put(&mut file, bytes);
    }
    file
}
