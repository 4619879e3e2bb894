// f64.glsl
