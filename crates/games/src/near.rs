//! Suggestions for misspelt names.

/// Returns up to three of `names` closest to `name` in edit distance, nearest first; names
/// that differ in more than a third of their letters are left out.
///
/// ```
/// use meeple_games::nearest;
///
/// assert_eq!(nearest("Sera Angle", ["Serra Angel", "Shock"]), ["Serra Angel"]);
/// ```
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = letters(name);
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        .map(|name| (strsim::osa_distance(&wanted, &letters(name)), name))
        .filter(|&(distance, name)| distance <= (name.chars().count() / 3).max(1))
        .collect();
    near.sort();
    near.truncate(3);
    near.into_iter().map(|(_, name)| name).collect()
}

/// Returns a "did you mean …?" suggestion, if one of `names` is close to `name`.
///
/// ```
/// use meeple_games::did_you_mean;
///
/// assert_eq!(did_you_mean("ches", ["chess", "go"]).as_deref(), Some("did you mean chess?"));
/// assert_eq!(did_you_mean("bridge", ["chess", "go"]), None);
/// ```
#[must_use]
pub fn did_you_mean<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = nearest(name, names);
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(", ")))
}

/// The normalized name, truncated: edit distance is quadratic in the length.
fn letters(name: &str) -> String {
    name.trim().to_lowercase().chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_close_names_are_suggested() {
        assert_eq!(nearest("xyzzy", ["Shock", "Fog"]), Vec::<&str>::new());
        assert_eq!(nearest("Fogg", ["Shock", "Fog"]), ["Fog"]);
        assert_eq!(nearest("mcst", ["mcts", "puct"]), ["mcts"]);
        assert_eq!(nearest("SHOKC", ["Shock"]), ["Shock"]);
    }
}
