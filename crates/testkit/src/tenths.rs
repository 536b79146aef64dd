//! Counts how often what was said with a chance came true.

use std::fmt;

/// The chances that were said and what came true, by tenths of the chance.
#[derive(Clone, Debug, Default)]
pub struct Tenths([Tenth; 10]);

/// One tenth.
#[derive(Clone, Copy, Debug, Default)]
struct Tenth {
    said: f64,
    came: u32,
    number: u32,
}

impl Tenths {
    /// Counts something that was said with a chance between 0 and 1, and whether it came true.
    pub fn count(&mut self, chance: f64, came: bool) {
        let tenth = &mut self.0[((10.0 * chance) as usize).min(9)];
        tenth.said += chance;
        tenth.came += u32::from(came);
        tenth.number += 1;
    }

    /// For each tenth with something in it: the mean chance that was said, the share that came true, and their number.
    pub fn shares(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        self.0.iter().filter(|tenth| tenth.number > 0).map(|tenth| {
            let number = f64::from(tenth.number);
            (tenth.said / number, f64::from(tenth.came) / number, number)
        })
    }

    /// How far what was said lies from what came true, as a mean over all that was counted.
    pub fn error(&self) -> f64 {
        let (sum, all) =
            self.shares().fold((0.0, 0.0), |(sum, all), (said, came, n)| (sum + n * (said - came).abs(), all + n));
        if all > 0.0 {
            sum / all
        } else {
            0.0
        }
    }
}

impl fmt::Display for Tenths {
    /// One line per tenth.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (said, came, number) in self.shares() {
            writeln!(f, "    said {:.0} %, came true {:.0} %, {number} of them", 100.0 * said, 100.0 * came)?;
        }
        Ok(())
    }
}
