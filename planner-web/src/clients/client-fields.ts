import {
  type Client,
  emailsText,
  parseTimeOfDay,
  phoneText,
  placeSchema,
  requiredText,
  timeText,
  uidText,
  windowProblems,
} from "@routewright/web";
import { z } from "zod";
import { extraFieldProblems } from "../fields/ExtraFieldsEditor.tsx";

export const clientSchema = z
  .object({
    uid: uidText,
    name: requiredText,
    location: placeSchema,
    customer_email: emailsText,
    phone_number: phoneText,
    arrive_after: timeText,
    leave_by: timeText,
    spec_type: z.string(),
    delivery_instructions: z.string(),
    dock_location: z.string(),
    consignee_info: z.string(),
    external_comments: z.string(),
    colour: z.string(),
    extra_fields: z.array(z.object({ name: z.string(), value: z.string() })),
  })
  .superRefine((fields, context) => {
    extraFieldProblems(fields.extra_fields).forEach((message, index) => {
      if (message !== undefined) {
        context.addIssue({ code: "custom", path: ["extra_fields", index, "name"], message });
      }
    });
    for (const [name, message] of Object.entries(windowProblems(fields.arrive_after, fields.leave_by))) {
      context.addIssue({ code: "custom", path: [name], message });
    }
  });

export type ClientFields = z.infer<typeof clientSchema>;

/** Form values of a client, or of what an import suggests for one. */
export function clientFieldsOf(client: Partial<Client>): ClientFields {
  const text = (value: string | null | undefined): string => value ?? "";
  return {
    uid: text(client.uid),
    name: text(client.name),
    location: client.location ?? null,
    customer_email: text(client.customer_email),
    phone_number: text(client.phone_number),
    arrive_after: text(client.arrive_after).slice(0, 5),
    leave_by: text(client.leave_by).slice(0, 5),
    spec_type: text(client.spec_type),
    delivery_instructions: text(client.delivery_instructions),
    dock_location: text(client.dock_location),
    consignee_info: text(client.consignee_info),
    external_comments: text(client.external_comments),
    colour: text(client.colour),
    extra_fields: Object.entries(client.extra_fields ?? {}).map(([name, value]) => ({ name, value })),
  };
}

/** The wire form: empty texts are left out, times are `HH:mm`. */
export function clientInputOf(fields: ClientFields): Partial<Client> {
  const { arrive_after, leave_by, location, extra_fields: extra, ...rest } = fields;
  const given = Object.entries(rest)
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== "");
  return {
    ...Object.fromEntries(given),
    ...(location === null ? {} : { location }),
    ...(extra.length === 0
      ? {}
      : { extra_fields: Object.fromEntries(extra.map(({ name, value }) => [name.trim(), value])) }),
    arrive_after: parseTimeOfDay(arrive_after),
    leave_by: parseTimeOfDay(leave_by),
  };
}
