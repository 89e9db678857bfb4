import { z } from "zod";
import { texts } from "../texts/index.ts";
import { parseSize } from "../units/size.ts";
import { parseTimeOfDay } from "../units/time.ts";
import { areEmails, arePhones, hasSpecialCharacters, isPhone, phoneProblem } from "./checks.ts";
import { isPlaced } from "./place.ts";

/** Required text that is not only blanks. */
export const requiredText = z
  .string()
  .min(1, texts.checks.required)
  .refine((text) => text.trim() !== "", texts.checks.blank);

export const optionalText = z.string();

export const uidText = requiredText.refine(
  (text) => !hasSpecialCharacters(text),
  texts.checks.specialCharacters,
);

/** Comma-separated addresses; empty is allowed. */
export const emailsText = z
  .string()
  .refine((text) => text.trim() === "" || areEmails(text), texts.checks.email);

/** Comma-separated numbers; empty is allowed. */
export const phonesText = z.string().refine((text) => text.trim() === "" || arePhones(text), phoneProblem);

export const phoneText = z.string().refine((text) => text.trim() === "" || isPhone(text), phoneProblem);

export const sizeText = z
  .string()
  .refine((text) => text.trim() === "" || parseSize(text) !== null, texts.checks.size);

/** `HH:mm` or 12-hour text; empty is allowed. */
export const timeText = z
  .string()
  .refine((text) => text.trim() === "" || parseTimeOfDay(text) !== null, texts.checks.time);

const coordinate = z.number().or(z.nan());

/** A place of a form, or none; typing for which no place was chosen is told, never dropped. */
export const placeSchema = z
  .object({ id: z.number().nullish(), address: z.string(), lat: coordinate, lon: coordinate })
  .nullable()
  .refine((place) => place === null || isPlaced(place), texts.jobs.locationUnplaced);
