import type { components } from "../api/schema.d.ts";

/** The shapes of the API document, by their names in it. */
export type Schemas = components["schemas"];

/** A shape with some fields said more precisely than the document says them. */
export type Refined<T, Fields> = Omit<T, keyof Fields> & Fields;
