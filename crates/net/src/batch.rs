//! Training batches: observations with target policies and target values.

use meeple_game::Action;

use crate::NetError;
use crate::encode::Encoder;
use crate::shape::Signature;

/// A batch of training examples in flat lists.
///
/// Legal actions are lists rather than masks: few of a policy's actions are legal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// `[examples, cells]` observations as the game writes them, row by row.
    pub observations: Vec<i32>,
    /// `[examples]`, the end of each example's legal actions in the two lists below.
    pub legal_ends: Vec<u32>,
    /// The legal actions of all examples.
    pub legal_actions: Vec<u16>,
    /// The target probability of each legal action; they sum to 1 for each
    /// example with a policy weight above 0.
    pub policies: Vec<f32>,
    /// `[examples, seats]` target values from -1 to 1, row by row: the
    /// observer's first, then the other seats clockwise.
    pub values: Vec<f32>,
    /// `[examples]`, the weight of each policy in the loss, usually 1; 0 leaves
    /// it out.
    pub policy_weights: Vec<f32>,
    /// `[examples]`, the weight of each example's values in the loss, usually 1.
    pub value_weights: Vec<f32>,
}

/// One training example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example<'a> {
    /// The observation of the player to act.
    pub observation: &'a [i32],
    /// The legal actions.
    pub legal: &'a [Action],
    /// The target probability of each legal action; they sum to 1.
    pub policy: &'a [f32],
    /// The target value of each seat, clockwise from the player to act. Missing
    /// seats count as 0.
    pub values: &'a [f32],
    /// The weight of the policy in the loss.
    pub policy_weight: f32,
    /// The weight of the values in the loss.
    pub value_weight: f32,
}

impl Batch {
    /// Appends an example for a network with a value head of `seats` outputs.
    ///
    /// # Panics
    ///
    /// Panics when the policy is not as long as the list of legal actions, or
    /// there are more values than seats.
    pub fn push(&mut self, example: &Example<'_>, seats: usize) {
        assert_eq!(example.legal.len(), example.policy.len(), "one probability per action");
        assert!(example.values.len() <= seats, "at most one value per seat");
        self.observations.extend_from_slice(example.observation);
        self.legal_actions.extend(example.legal.iter().map(|action| action.0));
        self.policies.extend_from_slice(example.policy);
        self.legal_ends.push(self.legal_actions.len() as u32);
        self.values.extend_from_slice(example.values);
        self.values.resize(self.legal_ends.len() * seats, 0.0);
        self.policy_weights.push(example.policy_weight);
        self.value_weights.push(example.value_weight);
    }

    /// Removes all examples, but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.observations.clear();
        self.legal_ends.clear();
        self.legal_actions.clear();
        self.policies.clear();
        self.values.clear();
        self.policy_weights.clear();
        self.value_weights.clear();
    }

    /// Returns the number of examples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.legal_ends.len()
    }

    /// Returns whether the batch has no examples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.legal_ends.is_empty()
    }

    /// Returns the range of an example's legal actions in the flat lists.
    pub(crate) fn legal_range(&self, example: usize) -> std::ops::Range<usize> {
        let start = example.checked_sub(1).map_or(0, |before| self.legal_ends[before]);
        start as usize..self.legal_ends[example] as usize
    }

    /// Checks that all examples fit a network of this signature.
    pub(crate) fn check(&self, signature: &Signature, encoder: &Encoder) -> Result<(), NetError> {
        let count = self.len();
        if count == 0 {
            return Err(NetError::EmptyBatch);
        }
        let lengths = [
            ("observations", count * encoder.cells(), self.observations.len()),
            ("policies", self.legal_actions.len(), self.policies.len()),
            ("values", count * signature.seats, self.values.len()),
            ("policy_weights", count, self.policy_weights.len()),
            ("value_weights", count, self.value_weights.len()),
        ];
        for (what, expected, got) in lengths {
            NetError::expect_length(what, expected, got)?;
        }
        let mut end = 0;
        for (example, &next) in self.legal_ends.iter().enumerate() {
            if next <= end || next as usize > self.legal_actions.len() {
                let reason = format!(
                    "its legal actions are {end} to {next} of {}, expected at least one",
                    self.legal_actions.len()
                );
                return Err(NetError::BadExample { example, reason });
            }
            end = next;
            self.check_example(example, signature)
                .map_err(|reason| NetError::BadExample { example, reason })?;
        }
        NetError::expect_length("legal_actions", end as usize, self.legal_actions.len())
    }

    fn check_example(&self, example: usize, signature: &Signature) -> Result<(), String> {
        let range = self.legal_range(example);
        let actions = &self.legal_actions[range.clone()];
        if let Some(wrong) = actions.iter().find(|&&action| action as usize >= signature.actions) {
            return Err(format!(
                "action {wrong} is legal, expected one below {}",
                signature.actions
            ));
        }
        let policy = &self.policies[range];
        if let Some(wrong) = policy.iter().find(|&&share| !(0.0..=1.001).contains(&share)) {
            return Err(format!("a probability is {wrong}, expected 0 to 1"));
        }
        let sum: f32 = policy.iter().sum();
        if (sum - 1.0).abs() > 0.01 && self.policy_weights[example] > 0.0 {
            return Err(format!("its probabilities sum to {sum}, expected 1"));
        }
        let values = &self.values[example * signature.seats..(example + 1) * signature.seats];
        if let Some(wrong) = values.iter().find(|&&value| !(-1.0..=1.0).contains(&value)) {
            return Err(format!("a value is {wrong}, expected -1 to 1"));
        }
        let weights = [self.policy_weights[example], self.value_weights[example]];
        match weights.iter().find(|&&weight| !(weight >= 0.0 && weight.is_finite())) {
            Some(wrong) => Err(format!("a weight is {wrong}, expected 0 or more")),
            None => Ok(()),
        }
    }
}
