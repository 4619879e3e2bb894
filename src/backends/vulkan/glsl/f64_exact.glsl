// f64_exact.glsl
