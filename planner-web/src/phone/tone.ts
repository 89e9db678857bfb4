/** Colours of the theme by what they mean. */
export type Tone = "primary" | "success" | "warning" | "error" | "info";
