import { Checkbox, FormControlLabel, FormGroup, FormHelperText, Skeleton } from "@mui/material";
import { answer, quietApi } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type BoundProps, useBound } from "../../inputs/bound.ts";
import { Group } from "../../inputs/index.ts";

/** Switches of the modules an organisation may have; the value is the list of keys that are on. */
export function ModulesInput(props: BoundProps) {
  const bound = useBound(props);
  const { data: modules, isPending } = useQuery({
    queryKey: ["modules"],
    queryFn: () => answer(quietApi.GET("/modules")),
  });
  const on = Array.isArray(bound.value) ? (bound.value as string[]) : [];
  function toggle(key: string) {
    bound.set(on.includes(key) ? on.filter((other) => other !== key) : [...on, key]);
  }
  return (
    <Group title={bound.label}>
      {isPending && <Skeleton variant="rounded" height={120} />}
      <FormGroup sx={{ display: "grid", gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
        {modules?.map((module) => (
          <FormControlLabel
            key={module.key}
            control={<Checkbox checked={on.includes(module.key)} onChange={() => toggle(module.key)} />}
            label={module.name}
          />
        ))}
      </FormGroup>
      {bound.error && <FormHelperText error>{bound.error}</FormHelperText>}
    </Group>
  );
}
