//! Export of the games of a run as CSV and Parquet.

use crate::Record;

/// Formats the games as CSV, one line each.
pub(crate) fn csv(records: &[Record]) -> String {
    let seats = records.iter().map(|record| record.bots.len()).max().unwrap_or(0);
    let mut text =
        "game,stage,match,block,table,config,seed,decisions,chances,cut,forfeit".to_owned();
    (0..seats).for_each(|seat| text.push_str(&format!(",bot_{seat},payoff_{seat}")));
    text.push('\n');
    for record in records {
        let Record { game, stage, r#match, block, table, config, seed, .. } = record;
        let forfeit = record.forfeit.as_ref().map_or(String::new(), |forfeit| {
            cell(&format!("seat {}: {}", forfeit.seat, forfeit.reason))
        });
        text.push_str(&format!(
            "{game},{stage},{match},{block},{table},{config},{seed},{},{},{},{forfeit}",
            record.decisions,
            record.chances,
            u8::from(record.cut),
        ));
        for seat in 0..seats {
            match (record.bots.get(seat), record.payoffs.get(seat)) {
                (Some(bot), Some(payoff)) => {
                    text.push_str(&format!(",{},{payoff}", cell(bot)));
                }
                _ => text.push_str(",,"),
            }
        }
        text.push('\n');
    }
    text
}

/// Formats text as a CSV cell: quoted if it contains a comma, a quote or a line break.
///
/// Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe and quoted,
/// as OWASP recommends against CSV injection. Numbers are unchanged.
fn cell(text: &str) -> String {
    let is_number = || text.parse::<f64>().is_ok_and(f64::is_finite);
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) && !is_number();
    if is_formula || text.contains([',', '"', '\n', '\r']) {
        let apostrophe = if is_formula { "'" } else { "" };
        format!("\"{apostrophe}{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Writes the games as a Parquet file with the columns of the CSV.
#[cfg(feature = "parquet")]
pub(crate) fn parquet(records: &[Record]) -> Result<Vec<u8>, parquet::errors::ParquetError> {
    use std::sync::Arc;

    use parquet::basic::{LogicalType, Repetition, Type as Physical};
    use parquet::data_type::{ByteArray, ByteArrayType, FloatType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::Type;

    let seats = records.iter().map(|record| record.bots.len()).max().unwrap_or(0);
    let column = |name: &str, physical: Physical, optional: bool| {
        let repetition = if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let logical = (physical == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let built = Type::primitive_type_builder(name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build();
        built.map(Arc::new)
    };
    type Number = fn(&Record) -> u64;
    let numbers: [(&str, Number); 10] = [
        ("game", |record| record.game),
        ("stage", |record| record.stage.into()),
        ("match", |record| record.r#match.into()),
        ("block", |record| record.block),
        ("table", |record| record.table.into()),
        ("config", |record| record.config.into()),
        ("seed", |record| record.seed),
        ("decisions", |record| record.decisions),
        ("chances", |record| record.chances),
        ("cut", |record| record.cut.into()),
    ];
    let mut fields = Vec::new();
    for (name, _) in numbers {
        fields.push(column(name, Physical::INT64, false)?);
    }
    fields.push(column("forfeit", Physical::BYTE_ARRAY, true)?);
    for seat in 0..seats {
        fields.push(column(&format!("bot_{seat}"), Physical::BYTE_ARRAY, true)?);
        fields.push(column(&format!("payoff_{seat}"), Physical::FLOAT, true)?);
    }
    let schema = Arc::new(Type::group_type_builder("games").with_fields(fields).build()?);
    let properties = Arc::new(WriterProperties::builder().set_created_by("meeple".into()).build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties)?;
    let mut group = writer.next_row_group()?;
    let missing = || parquet::errors::ParquetError::General("a column is missing".into());
    for (_, number) in numbers {
        let values: Vec<i64> = records.iter().map(|record| number(record) as i64).collect();
        let mut column = group.next_column()?.ok_or_else(missing)?;
        column.typed::<Int64Type>().write_batch(&values, None, None)?;
        column.close()?;
    }
    let text = |value: Option<String>| value.map(|text| ByteArray::from(text.into_bytes()));
    let forfeits = records.iter().map(|record| {
        text(record.forfeit.as_ref().map(|lost| format!("seat {}: {}", lost.seat, lost.reason)))
    });
    let (levels, values) = split(forfeits);
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
    column.close()?;
    for seat in 0..seats {
        let (levels, values) =
            split(records.iter().map(|record| text(record.bots.get(seat).cloned())));
        let mut column = group.next_column()?.ok_or_else(missing)?;
        column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        column.close()?;
        let (levels, values) =
            split(records.iter().map(|record| record.payoffs.get(seat).copied()));
        let mut column = group.next_column()?.ok_or_else(missing)?;
        column.typed::<FloatType>().write_batch(&values, Some(&levels), None)?;
        column.close()?;
    }
    group.close()?;
    writer.into_inner()
}

/// Splits optional values into Parquet definition levels and the values that are present.
#[cfg(feature = "parquet")]
fn split<T>(values: impl Iterator<Item = Option<T>>) -> (Vec<i16>, Vec<T>) {
    let (mut levels, mut known) = (Vec::new(), Vec::new());
    for value in values {
        levels.push(i16::from(value.is_some()));
        known.extend(value);
    }
    (levels, known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example_record;

    #[test]
    fn tables_have_a_line_for_each_game() {
        let record = example_record();
        let text = csv(&[
            record.clone(),
            Record { bots: vec!["x".into(); 3], payoffs: vec![0.0; 3], ..record },
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "game,stage,match,block,table,config,seed,decisions,chances,cut,forfeit,\
             bot_0,payoff_0,bot_1,payoff_1,bot_2,payoff_2"
        );
        assert_eq!(lines[1], "7,0,1,3,0,0,99,12,3,0,,\"a \"\"quoted\"\" bot\",1,b,-0.1,,");
        assert_eq!(lines[2], "7,0,1,3,0,0,99,12,3,0,,x,0,x,0,x,0");
    }

    #[test]
    fn cells_are_no_formulas() {
        for (text, expected) in [
            ("mcts:sims=9", "mcts:sims=9"),
            ("a,b", "\"a,b\""),
            ("=1+2", "\"'=1+2\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("@sum", "\"'@sum\""),
            ("+inf", "\"'+inf\""),
            ("-a", "\"'-a\""),
            ("\tx", "\"'\tx\""),
            ("-1.5", "-1.5"),
            ("+3e2", "+3e2"),
        ] {
            assert_eq!(cell(text), expected);
        }
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_is_read_as_written() {
        use parquet::file::reader::{FileReader, SerializedFileReader};

        let bytes = parquet(&[example_record(), example_record()]).unwrap();
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, &bytes).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("game: 7") && rows[0].contains("bot_1: \"b\""), "{}", rows[0]);
    }
}
