// cast.glsl
