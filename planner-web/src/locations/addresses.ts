import { request, type Schemas } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { keys } from "../plan/keys.ts";
import { queryClient } from "../ui/query-client.ts";

/** An address that was found, but not for sure. */
export type AddressToConfirm = Schemas["AddressToConfirm"];

/** Milliseconds between two looks: files of partners come in at any time. */
const AGAIN = 60_000;

/** The addresses that wait for somebody to look at the map, the least sure first; `null` until they are known. */
export function useAddressesToConfirm(enabled: boolean): readonly AddressToConfirm[] | null {
  const { data } = useQuery({
    queryKey: keys.addresses,
    queryFn: () => request<AddressToConfirm[]>("/addresses_to_confirm", { quiet: true }),
    enabled,
    refetchInterval: AGAIN,
  });
  return data ?? null;
}

/** After an import, or a change of jobs' places. */
export function reloadAddressesToConfirm(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.addresses });
}

/** Moves the jobs of an address to its place, which is kept for later imports. */
export async function confirmAddress(
  { address, client_id }: AddressToConfirm,
  place: { lat: number; lon: number },
): Promise<void> {
  await request("/addresses_to_confirm/confirm", {
    method: "POST",
    body: { address, client_id, lat: place.lat, lon: place.lon },
  });
  await reloadAddressesToConfirm();
}

/** Tells two addresses apart: each customer has its own. */
export function addressKey({ client_id, address }: AddressToConfirm): string {
  return `${client_id ?? ""} ${address}`;
}
