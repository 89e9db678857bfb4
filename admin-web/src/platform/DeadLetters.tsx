import {
  Alert,
  Autocomplete,
  Box,
  Button,
  Skeleton,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from "@mui/material";
import {
  answer,
  fill,
  messageOfError,
  momentText,
  quietApi,
  type Schemas,
  texts,
  toastError,
  toastSuccess,
} from "@routewright/web";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Title } from "react-admin";
import { useMay, useTimezone } from "../data/organisation.ts";
import { sentenceCase } from "../resource/labels.ts";
import { Sheet } from "../ui/Sheet.tsx";

type Letter = Schemas["DeadLetter"];

/** Work that was given up and messages that were not accepted, of the platform or of one organisation. */
export function DeadLetters() {
  const [organisation, setOrganisation] = useState<number | null>(null);
  const mayRetry = useMay("organisations_write");
  const timezone = useTimezone();
  const words = texts.admin.platform;
  const { data: organisations } = useQuery({
    queryKey: ["operators", "organisations"],
    queryFn: () => answer(quietApi.GET("/operators/organisations", { params: { query: { per_page: 300 } } })),
  });
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["operators", "dead letters", organisation],
    queryFn: () =>
      answer(
        quietApi.GET("/operators/dead_letters", { params: { query: { organisation_id: organisation } } }),
      ),
  });

  async function retry({ kind, id }: Letter): Promise<void> {
    try {
      const { ids } = await answer(
        quietApi.POST("/operators/dead_letters/retry", {
          body: { kind, ids: [id], organisation_id: organisation },
        }),
      );
      toastSuccess(fill(words.retried, { n: ids.length }));
      await refetch();
    } catch (problem) {
      toastError(messageOfError(problem));
    }
  }
  return (
    <Box sx={{ mt: 2, display: "grid", gap: 2 }}>
      <Title title={words.deadLetters} />
      <Typography color="text.secondary">{words.deadLettersNote}</Typography>
      <Autocomplete
        options={organisations?.data ?? []}
        getOptionLabel={(one) => one.name}
        getOptionKey={(one) => one.id}
        onChange={(_, one) => setOrganisation(one?.id ?? null)}
        renderInput={(field) => <TextField {...field} label={words.whose} helperText={words.whoseHelp} />}
        sx={{ maxWidth: 420 }}
      />
      {error && <Alert severity="error">{error.message}</Alert>}
      {isPending && <Skeleton variant="rounded" height={160} />}
      {data?.length === 0 && <Alert severity="success">{words.noDeadLetters}</Alert>}
      {data !== undefined && data.length > 0 && (
        <Sheet>
          <TableContainer>
            <Table>
              <TableHead>
                <TableRow>
                  {[words.what, words.attempts, words.reason, words.lastTried, ""].map((head) => (
                    <TableCell key={head}>{head}</TableCell>
                  ))}
                </TableRow>
              </TableHead>
              <TableBody>
                {data.map((letter) => (
                  <TableRow key={`${letter.kind} ${letter.id}`}>
                    <TableCell>{`${sentenceCase(letter.kind)}: ${sentenceCase(letter.name)}`}</TableCell>
                    <TableCell>{letter.attempts}</TableCell>
                    <TableCell sx={{ overflowWrap: "anywhere" }}>{letter.error}</TableCell>
                    <TableCell>{momentText(letter.modified, timezone)}</TableCell>
                    <TableCell>
                      {mayRetry && (
                        <Button onClick={() => void retry(letter)}>{texts.admin.shared.tryAgain}</Button>
                      )}
                    </TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </TableContainer>
        </Sheet>
      )}
    </Box>
  );
}
