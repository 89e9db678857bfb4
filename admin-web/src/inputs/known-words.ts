import { mayCall, measuresOf, requestAll, session } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";

interface Limited {
  capacity: string | null;
  spec_type: string | null;
}

const NONE = { measures: [] as string[], types: [] as string[] };

/** Measures and types of the organisation, as its drivers and vehicles name them. */
export function useKnownWords(): { measures: string[]; types: string[] } {
  const { data } = useQuery({
    queryKey: ["known-words"],
    queryFn: readKnownWords,
    staleTime: 60_000,
  });
  return data ?? NONE;
}

async function readKnownWords(): Promise<{ measures: string[]; types: string[] }> {
  const { user } = session();
  const lists = await Promise.all(
    ["/drivers", "/vehicles"]
      .filter((path) => mayCall("GET", path, user))
      .map((path) => requestAll<Limited>(path, {}, { quiet: true })),
  );
  const all = lists.flat();
  const types = all.flatMap(({ spec_type: text }) => (text ?? "").split(",")).map((type) => type.trim());
  return {
    measures: measuresOf(all.map(({ capacity }) => capacity)),
    types: [...new Set(types.filter((type) => type !== ""))].sort(),
  };
}
