//! Which words of the card language a value is written with.
//!
//! A serializer that writes nothing down but the variants it meets, as
//! `Type::Variant`, and the fields that are given, as `Type.field`.

use std::collections::BTreeSet;

use serde::ser::{self, Impossible, Serialize, Serializer};

/// The words of a value.
pub(crate) fn words_of(value: &impl Serialize) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    value.serialize(Recorder { words: &mut words }).expect("nothing is refused");
    words
}

/// Tells whether the value says anything: none, no and empty lists do not.
struct Recorder<'a> {
    words: &'a mut BTreeSet<String>,
}

/// A value with parts.
struct Parts<'a> {
    words: &'a mut BTreeSet<String>,
    of: &'static str,
    given: bool,
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Refused(String);

impl ser::Error for Refused {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

impl<'a> Recorder<'a> {
    fn parts(self, of: &'static str, given: bool) -> Parts<'a> {
        Parts { words: self.words, of, given }
    }
}

macro_rules! plain {
    ($($name:ident($type:ty)),* $(,)?) => {
        $(fn $name(self, _: $type) -> Result<bool, Refused> {
            Ok(true)
        })*
    };
}

impl<'a> Serializer for Recorder<'a> {
    type Ok = bool;
    type Error = Refused;
    type SerializeSeq = Parts<'a>;
    type SerializeTuple = Parts<'a>;
    type SerializeTupleStruct = Parts<'a>;
    type SerializeTupleVariant = Parts<'a>;
    type SerializeMap = Impossible<bool, Refused>;
    type SerializeStruct = Parts<'a>;
    type SerializeStructVariant = Parts<'a>;

    plain! {
        serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64),
        serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64),
        serialize_f32(f32), serialize_f64(f64), serialize_char(char), serialize_str(&str),
        serialize_bytes(&[u8]), serialize_unit_struct(&'static str),
    }

    fn serialize_bool(self, value: bool) -> Result<bool, Refused> {
        Ok(value)
    }

    fn serialize_none(self) -> Result<bool, Refused> {
        Ok(false)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<bool, Refused> {
        value.serialize(self)?;
        Ok(true)
    }

    fn serialize_unit(self) -> Result<bool, Refused> {
        Ok(false)
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<bool, Refused> {
        self.words.insert(format!("{name}::{variant}"));
        Ok(true)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<bool, Refused> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<bool, Refused> {
        self.words.insert(format!("{name}::{variant}"));
        value.serialize(Recorder { words: &mut *self.words })?;
        Ok(true)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'a>, Refused> {
        // The sets of the language do not tell their length beforehand.
        Ok(self.parts("", false))
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'a>, Refused> {
        Ok(self.parts("", true))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'a>, Refused> {
        Ok(self.parts("", true))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Refused> {
        self.words.insert(format!("{name}::{variant}"));
        Ok(self.parts("", true))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Refused> {
        Err(Refused("the language has no maps".into()))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Parts<'a>, Refused> {
        Ok(self.parts(name, true))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'a>, Refused> {
        self.words.insert(format!("{name}::{variant}"));
        Ok(self.parts("", true))
    }
}

impl Parts<'_> {
    fn part<T: ?Sized + Serialize>(&mut self, field: &str, value: &T) -> Result<(), Refused> {
        let given = value.serialize(Recorder { words: &mut *self.words })?;
        if given && !self.of.is_empty() {
            self.words.insert(format!("{}.{field}", self.of));
        }
        Ok(())
    }
}

macro_rules! lists {
    ($($trait:ident: $method:ident),* $(,)?) => {
        $(impl ser::$trait for Parts<'_> {
            type Ok = bool;
            type Error = Refused;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Refused> {
                self.given = true;
                self.part("", value)
            }

            fn end(self) -> Result<bool, Refused> {
                Ok(self.given)
            }
        })*
    };
}

lists! {
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field,
}

macro_rules! structs {
    ($($trait:ident),* $(,)?) => {
        $(impl ser::$trait for Parts<'_> {
            type Ok = bool;
            type Error = Refused;

            fn serialize_field<T: ?Sized + Serialize>(
                &mut self,
                field: &'static str,
                value: &T,
            ) -> Result<(), Refused> {
                self.part(field, value)
            }

            fn end(self) -> Result<bool, Refused> {
                Ok(self.given)
            }
        })*
    };
}

structs! { SerializeStruct, SerializeStructVariant }
