//! NumPy arrays of the caller, checked before they are used.

use meeple_game::ObservationSpec;
use numpy::{
    BorrowError, Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::convert::value_error;

/// `object` as an array of `T` with this shape, in the order of C.
fn array<'py, T: Element>(
    name: &str,
    object: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let expected = dtype::<T>(object.py());
    let Ok(array) = object.cast::<PyArrayDyn<T>>() else {
        let got = match object.cast::<PyUntypedArray>() {
            Ok(array) => format!("an array of {}", array.dtype()),
            Err(_) => object.get_type().name()?.to_string(),
        };
        let message = format!("{name} is {got}, expected a NumPy array of {expected}");
        return Err(PyTypeError::new_err(message));
    };
    if array.shape() != shape {
        let message = format!("{name} has shape {:?}, expected {shape:?}", array.shape());
        return Err(PyValueError::new_err(message));
    }
    if !array.is_c_contiguous() {
        let message = format!("{name} is not contiguous, expected an array in the order of C");
        return Err(PyValueError::new_err(message));
    }
    Ok(array.clone())
}

/// An array to write.
pub(crate) fn writable<'py, T: Element>(
    name: &str,
    object: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
    array(name, object, shape)?.try_readwrite().map_err(|error| {
        let reason = match error {
            BorrowError::NotWriteable => "is read-only, expected a writable array",
            _ => "shares memory with an array that is in use",
        };
        PyValueError::new_err(format!("{name} {reason}"))
    })
}

/// An array to read.
pub(crate) fn readable<'py, T: Element>(
    name: &str,
    object: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    array(name, object, shape)?.try_readonly().map_err(|_| {
        PyValueError::new_err(format!("{name} shares memory with an array that is in use"))
    })
}

/// Whatever NumPy can make an array of float32 with this shape of.
pub(crate) fn floats(name: &str, object: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Vec<f32>> {
    let numpy = object.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (object, "float32"))?;
    Ok(readable::<f32>(name, &array, shape)?.as_slice().map_err(value_error)?.to_vec())
}

/// The name of the numbers in an array, if it is one.
pub(crate) fn dtype_name(object: &Bound<'_, PyAny>) -> Option<String> {
    let array = object.cast::<PyUntypedArray>().ok()?;
    let dtype = array.dtype();
    dtype.typeobj().name().ok().map(|name| name.to_string())
}

/// Whether rows of cells are such as observations of the game may hold.
pub(crate) fn check_cells(spec: &ObservationSpec, cells: &[i32]) -> PyResult<()> {
    let fields = spec.fields().iter();
    let bounds: Vec<(i32, i32)> = fields
        .flat_map(|field| std::iter::repeat_n(field.kind().bounds(), field.cells()))
        .collect();
    for (row, cells) in cells.chunks_exact(spec.len()).enumerate() {
        let mut pairs = cells.iter().zip(&bounds).enumerate();
        if let Some((cell, (value, (min, max)))) =
            pairs.find(|(_, (value, (min, max)))| !(min..=max).contains(value))
        {
            let message = format!("row {row}, cell {cell} is {value}, expected {min} to {max}");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(())
}
