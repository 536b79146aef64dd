//! Mean waiting time in a queue, by formulas over two moments or by the exact recursion over a known sequence.

/// Means and standard deviations of the times between arrivals and of the service times, all in the same unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Mean time between arrivals.
    pub arrival: f64,
    /// Standard deviation of the time between arrivals.
    pub arrival_deviation: f64,
    /// Mean service time.
    pub service: f64,
    /// Standard deviation of the service time.
    pub service_deviation: f64,
}

impl Moments {
    /// Coefficient of variation of the arrivals, σa/τa (equation 10).
    pub fn ca(&self) -> f64 {
        ratio(self.arrival_deviation, self.arrival)
    }

    /// Coefficient of variation of the service times, σs/τs (equation 10).
    pub fn cs(&self) -> f64 {
        ratio(self.service_deviation, self.service)
    }

    /// Utilisation of the server, ρ = τs/τa (equation 10).
    pub fn utilisation(&self) -> f64 {
        ratio(self.service, self.arrival)
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        part / whole
    } else {
        0.0
    }
}

/// Method for the mean waiting time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queue {
    /// Equation 9 as Huang & Li print it, without squares and with the time between arrivals in place of the service
    /// time. It serves only for reproduction: with ca = cs = 1 it is the response time of M/M/1 and counts the service
    /// twice.
    SeedPrinted,
    /// Equation 9 with the service time in its place, but still without squares.
    KingmanLinear,
    /// Kingman's approximation (1961): (ca² + cs²)/2 · ρ/(1−ρ) · τs. Exact for M/G/1.
    Kingman,
    /// Kingman with the correction of Krämer and Langenbach-Belz (1976).
    Klb,
    /// The recursion of Lindley (1952) over the requests themselves, which is exact.
    #[default]
    Lindley,
}

impl Queue {
    /// All methods with the names that a person types.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("lindley", Self::Lindley),
        ("kingman", Self::Kingman),
        ("klb", Self::Klb),
        ("kingman-linear", Self::KingmanLinear),
        ("seed", Self::SeedPrinted),
    ];

    /// Mean waiting time of a stable queue; `None` when ρ ≥ 1, and for [`Queue::Lindley`], which needs the sequence.
    pub fn wait(self, m: &Moments) -> Option<f64> {
        let (ca, cs, rho) = (m.ca(), m.cs(), m.utilisation());
        if rho >= 1.0 {
            return None;
        }
        let load = rho / (1.0 - rho);
        let kingman = (ca * ca + cs * cs) / 2.0 * load * m.service;
        match self {
            Self::SeedPrinted => Some((ca + cs) / 2.0 * load * m.arrival),
            Self::KingmanLinear => Some((ca + cs) / 2.0 * load * m.service),
            Self::Kingman => Some(kingman),
            Self::Klb => Some(kingman * klb(ca, cs, rho)),
            Self::Lindley => None,
        }
    }
}

/// Factor of Krämer and Langenbach-Belz on Kingman's approximation.
fn klb(ca: f64, cs: f64, rho: f64) -> f64 {
    let (a, s) = (ca * ca, cs * cs);
    if rho <= 0.0 || a + s <= 0.0 {
        return 1.0;
    }
    let exponent = match a <= 1.0 {
        true => -2.0 * (1.0 - rho) * (1.0 - a) * (1.0 - a) / (3.0 * rho * (a + s)),
        false => -(1.0 - rho) * (a - 1.0) / (a + 4.0 * s),
    };
    libm::exp(exponent)
}

/// Mean waiting time of a sequence of `(time since the previous arrival, service time)` that is served in order, by
/// W ← max(0, W + S − A). The first request finds the server free.
pub fn lindley(sequence: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let (mut work, mut sum, mut count) = (0.0f64, 0.0, 0u64);
    for (gap, service) in sequence {
        // `work` is the waiting time and the service time of the previous request.
        let wait = (work - gap).max(0.0);
        sum += wait;
        count += 1;
        work = wait + service;
    }
    if count == 0 {
        0.0
    } else {
        sum / count as f64
    }
}
