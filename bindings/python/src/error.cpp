// graze/error.hpp in Python. InputError is also a ValueError and ResourceError a MemoryError, so that callers who
// do not know graze catch them.
#include <array>
#include <exception>
#include <string>

#include <graze/error.hpp>

#include "bind.hpp"

namespace graze::python {

namespace py = pybind11;

namespace {

/// The exception classes, owned by the module for the life of the process.
struct Classes {
  PyObject* error = nullptr;
  PyObject* input = nullptr;
  PyObject* resource = nullptr;
  PyObject* interrupted = nullptr;
};
Classes classes;

PyObject* make_class(py::module_& module, const char* name, const char* text, const py::tuple& bases) {
  const std::string full = std::string("graze.") + name;
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), text, bases.ptr(), nullptr);
  if (made == nullptr) throw py::error_already_set();
  module.attr(name) = py::reinterpret_borrow<py::object>(made);
  return made;
}

}  // namespace

void bind_error(py::module_& module) {
  const auto type = [](PyObject* object) { return py::reinterpret_borrow<py::object>(object); };
  classes.error =
      make_class(module, "Error", "Base class of the exceptions of graze.", py::make_tuple(type(PyExc_Exception)));
  classes.input =
      make_class(module, "InputError", "Invalid input. The message names the array, the row and the value.",
                 py::make_tuple(type(classes.error), type(PyExc_ValueError)));
  classes.resource = make_class(module, "ResourceError",
                                "A call needs more memory than its memory_cap allows, or a GPU that is not there.",
                                py::make_tuple(type(classes.error), type(PyExc_MemoryError)));
  classes.interrupted = make_class(module, "Interrupted", "A progress callable or a sink returned False.",
                                   py::make_tuple(type(classes.error)));
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      PyErr_SetString(classes.input, error.what());
    } catch (const ResourceError& error) {
      PyErr_SetString(classes.resource, error.what());
    } catch (const Interrupted& error) {
      PyErr_SetString(classes.interrupted, error.what());
    } catch (const Error& error) {
      PyErr_SetString(classes.error, error.what());
    }
  });
}

}  // namespace graze::python
