//! The parameters of the walk, with the names that the paper gives them where it has them (Algorithms 1, 3 and 4).

use std::str::FromStr;

use symcrete_tape::Metric;

#[derive(Clone, Debug)]
pub struct Config {
    /// I: steps for each constraint before a walk begins anew, or ends if `restarts` is off. Default: 150, as in the paper.
    pub steps: u64,
    /// R: random neighbours for each step, each with its bisection step. Default: 10, as in the paper.
    pub neighbours: u32,
    /// T: steps for which a variable is tabu whose change brought nothing, at most; half the number of variables if that is less.
    /// 0 switches it off. Default: 3, as in the paper.
    pub tabu: u32,
    /// S: the standard deviation of random steps. Default: 100. The paper leaves it open.
    pub radius: f64,
    /// M: how often a random step is tried again that left the polytope. Default: 20. The paper leaves it open.
    pub samples: u32,
    /// Whether walks begin in the polytope of the linear constraints, by linear programming, and never leave it. Beyond the paper: off,
    /// linear constraints are scored like the others, and only the beginning is in the polytope. Default: off, because exact local
    /// solutions cross it.
    pub polytope: bool,
    /// Whether the place is tried where a constraint would hold if it were linear. Default: yes.
    pub bisection: bool,
    /// How distances are measured. Default: steps of the machine's numbers.
    pub metric: Metric,
    /// Beyond the paper, each on by default: steps of all scales along a variable.
    pub scales: bool,
    /// Special values: zeros, infinities, powers of two, constants of the constraints, values of other variables.
    pub specials: bool,
    /// Exact local solutions: operations inverted along a chain of dependencies.
    pub inversion: bool,
    /// Intervals whose ends lie on different sides of a constraint, halved to their end.
    pub intervals: bool,
    /// Constraints that a step breaks are mended by inversion in other variables.
    pub repair: bool,
    /// Constraints count more the longer they are violated.
    pub weights: bool,
    /// Walks begin anew, from remembered solutions, special and random points, while there is effort left.
    pub restarts: bool,
    /// Seed of all that is random. Default: 0.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            steps: 150,
            neighbours: 10,
            tabu: 3,
            radius: 100.0,
            samples: 20,
            polytope: false,
            bisection: true,
            metric: Metric::Steps,
            scales: true,
            specials: true,
            inversion: true,
            intervals: true,
            repair: true,
            weights: true,
            restarts: true,
            seed: 0,
        }
    }
}

/// Why a setting is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` sets nothing of the walk: {reason}")]
pub struct NoSetting {
    pub text: String,
    pub reason: String,
}

/// Settings as they are written on a command line: `paper`, or `KEY=VALUE`, separated by commas.
impl FromStr for Config {
    type Err = NoSetting;

    fn from_str(text: &str) -> Result<Config, NoSetting> {
        let mut config = Config::default();
        for setting in text.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let wrong = |reason: String| NoSetting { text: setting.to_owned(), reason };
            if setting == "paper" {
                config = Config { seed: config.seed, ..Config::paper() };
                continue;
            }
            let (key, value) =
                setting.split_once('=').ok_or_else(|| wrong(format!("write KEY=VALUE, KEY one of {KEYS}")))?;
            config.set(key, value).map_err(wrong)?;
        }
        Ok(config)
    }
}

/// The keys of settings, for people.
const KEYS: &str = "steps, neighbours, tabu, radius, samples, polytope, bisection, metric, scales, specials, inversion, intervals, \
                    repair, weights, restarts";

impl Config {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        fn number<T: FromStr>(value: &str) -> Result<T, String> {
            value.parse().map_err(|_| format!("`{value}` is not a number that it could be"))
        }
        let switch = |value: &str| match value {
            "on" | "yes" | "true" => Ok(true),
            "off" | "no" | "false" => Ok(false),
            _ => Err(format!("`{value}` is neither on nor off")),
        };
        match key {
            "steps" => self.steps = number(value)?,
            "neighbours" => self.neighbours = number(value)?,
            "tabu" => self.tabu = number(value)?,
            "radius" => self.radius = number(value)?,
            "samples" => self.samples = number(value)?,
            "polytope" => self.polytope = switch(value)?,
            "bisection" => self.bisection = switch(value)?,
            "scales" => self.scales = switch(value)?,
            "specials" => self.specials = switch(value)?,
            "inversion" => self.inversion = switch(value)?,
            "intervals" => self.intervals = switch(value)?,
            "repair" => self.repair = switch(value)?,
            "weights" => self.weights = switch(value)?,
            "restarts" => self.restarts = switch(value)?,
            "metric" => {
                self.metric = match value {
                    "difference" => Metric::Difference,
                    "steps" => Metric::Steps,
                    _ => return Err(format!("there is no metric `{value}`; there are difference and steps")),
                }
            }
            _ => return Err(format!("there is no `{key}`; there are {KEYS}")),
        }
        Ok(())
    }

    /// The algorithm of the paper and nothing else.
    pub fn paper() -> Config {
        Config {
            polytope: true,
            metric: Metric::Difference,
            scales: false,
            specials: false,
            inversion: false,
            intervals: false,
            repair: false,
            weights: false,
            restarts: false,
            ..Config::default()
        }
    }
}
