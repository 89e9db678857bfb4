import { FormControl, FormControlLabel, FormLabel, Radio, RadioGroup } from "@mui/material";
import { texts } from "@routewright/web";
import { useId } from "react";
import { PasswordInput, useInput } from "react-admin";
import { needed } from "../../inputs/validators.ts";

/** How a new person gets a password: by an invitation, unless one is typed for them. */
export function FirstPassword({ source = "" }: { source?: string }) {
  const { field } = useInput({ source: `${source}invite`, defaultValue: true });
  const id = useId();
  const invited = field.value !== false;
  return (
    <>
      <FormControl sx={{ mb: 1 }}>
        <FormLabel id={id}>{texts.admin.users.howToBegin}</FormLabel>
        <RadioGroup
          aria-labelledby={id}
          value={invited ? "invite" : "password"}
          onChange={(_, value) => field.onChange(value === "invite")}
        >
          <FormControlLabel value="invite" control={<Radio />} label={texts.admin.users.invite} />
          <FormControlLabel value="password" control={<Radio />} label={texts.admin.users.setPassword} />
        </RadioGroup>
      </FormControl>
      {!invited && (
        <PasswordInput
          source={`${source}password`}
          label={texts.admin.shared.password}
          autoComplete="new-password"
          validate={needed(texts.session.passwordRequired)}
        />
      )}
    </>
  );
}

/** A person to be sent, with either an invitation or a password: one that was typed before the invitation is not sent. */
export function withFirstPassword({ password, ...person }: Record<string, unknown>): Record<string, unknown> {
  return person.invite === false ? { ...person, password } : person;
}
