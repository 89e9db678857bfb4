import AddIcon from "@mui/icons-material/PersonAddAltOutlined";
import { Autocomplete, Box, IconButton, TextField, Tooltip } from "@mui/material";
import { type Client, type Page, request, texts, useLevel } from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useDebounced } from "../ui/use-debounced.ts";
import { ClientDialog } from "./ClientDialog.tsx";
import { clients } from "./clients.ts";

interface ClientOption {
  id: number;
  uid: string;
}

/** Search-as-you-type over the organisation's clients; choosing one fills the job form. */
export function ClientField({ onChoose }: { onChoose: (client: Client) => void }): ReactNode {
  const [text, setText] = useState("");
  const [creating, setCreating] = useState(false);
  const reads = useLevel("clients_read");
  const writes = useLevel("clients_write");
  const asked = useDebounced(text, 1_000);
  const { data, isFetching } = useQuery({
    queryKey: ["clients", "lookup", asked],
    queryFn: () =>
      request<Page<ClientOption>>("/clients", {
        headers: { "LOOKUP-FIELDS": "id;uid" },
        query: { uid: asked, per_page: 20 },
      }),
    enabled: reads,
  });
  if (!reads) return null;
  return (
    <Box sx={{ display: "flex", gap: 1 }}>
      <Autocomplete<ClientOption>
        fullWidth
        options={data?.data ?? []}
        getOptionLabel={(option) => option.uid}
        isOptionEqualToValue={(option, value) => option.id === value.id}
        filterOptions={(all) => all}
        loading={isFetching}
        noOptionsText={texts.common.noResults}
        onInputChange={(_, value) => setText(value)}
        onChange={(_, option) => {
          if (option !== null) void clients.get(option.id).then(onChoose, () => undefined);
        }}
        renderInput={(parameters) => <TextField {...parameters} label={texts.jobs.clientSearch} />}
      />
      {writes && (
        <Tooltip title={texts.jobs.newClient}>
          <IconButton aria-label={texts.jobs.newClient} onClick={() => setCreating(true)}>
            <AddIcon fontSize="small" />
          </IconButton>
        </Tooltip>
      )}
      {creating && (
        <ClientDialog
          onClose={() => setCreating(false)}
          onSaved={(client) => {
            setCreating(false);
            onChoose(client);
          }}
        />
      )}
    </Box>
  );
}
