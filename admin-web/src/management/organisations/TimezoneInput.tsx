import { quietApi, answer } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { AutocompleteInput, type InputProps } from "react-admin";

/** IANA timezone, out of those the server knows. */
export function TimezoneInput({ source, validate }: { source: string; validate?: InputProps["validate"] }) {
  const { data: zones = [], isPending } = useQuery({
    queryKey: ["timezones"],
    queryFn: () => answer(quietApi.GET("/timezones")),
    staleTime: Infinity,
  });
  return (
    <AutocompleteInput
      source={source}
      validate={validate}
      isPending={isPending}
      choices={zones.map((zone) => ({ id: zone, name: zone }))}
      fullWidth
    />
  );
}
