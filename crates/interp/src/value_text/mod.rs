//! Values as C text.
