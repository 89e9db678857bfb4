import UploadIcon from "@mui/icons-material/UploadFileOutlined";
import { Alert, Box, Button, Card, CardContent, LinearProgress, Typography } from "@mui/material";
import {
  type FileContent,
  messageOfError,
  type ReadingChoice,
  ReadingOptions,
  requestLines,
  endSession,
  toastError,
  toastLoading,
  toastSuccess,
  texts,
  fill,
} from "@routewright/web";
import { useState } from "react";
import { Form, Title } from "react-admin";
import { useWatch } from "react-hook-form";
import { OneInput } from "../../inputs/index.ts";
import { type JobLine, readJobs, toLines } from "./rows.ts";
import { JobPreview } from "./JobPreview.tsx";

const MOST_LINES = 10_000;

/** One line of the answer: a job made, a refusal, or the end. */
interface Line {
  /** Line of the request, from 1. */
  n?: number;
  /** The job that was made. */
  id?: number;
  title?: string;
  description?: string;
  done?: boolean;
  uploaded?: number;
  failed?: number;
}

/** Makes many jobs from a file by one streamed upload; good lines are kept, refused ones are listed. */
export function BulkCreateJobs() {
  return (
    <Card variant="outlined" sx={{ mt: 2 }}>
      <Title title={texts.admin.bulkJobs.bulkCreateJobs} />
      <CardContent>
        <Form defaultValues={{ scenario_id: null }}>
          <Uploader />
        </Form>
      </CardContent>
    </Card>
  );
}

function Uploader() {
  const scenario = useWatch<{ scenario_id: number | null }>({ name: "scenario_id" });
  const [jobs, setJobs] = useState<JobLine[]>([]);
  const [fileName, setFileName] = useState<string>();
  const [table, setTable] = useState<FileContent | null>(null);
  const [reading, setReading] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [progress, setProgress] = useState<number>();
  const [refusals, setRefusals] = useState<string[]>([]);

  async function read(source: Blob, name: string, choice?: ReadingChoice): Promise<void> {
    setRefusals([]);
    setFileName(name);
    setReading(true);
    try {
      const found = await readJobs(source, name, choice);
      const tooMany = found.jobs.length > MOST_LINES;
      setJobs(found.jobs.slice(0, MOST_LINES));
      setTable(found.table);
      setProblem(
        tooMany ? fill(texts.admin.bulkJobs.onlyFirst, { n: MOST_LINES }) : (found.problem ?? undefined),
      );
    } catch (error) {
      setJobs([]);
      // How a table was read before can still be changed.
      if (choice === undefined) setTable(null);
      setProblem(messageOfError(error));
    } finally {
      setReading(false);
    }
  }
  async function upload(): Promise<void> {
    setProgress(0);
    const toast = toastLoading(texts.admin.bulkJobs.uploadingJobs);
    const made = new Set<number>();
    try {
      const { uploaded, refused } = await send(jobs, scenario, ({ n = 0, id }) => {
        if (id !== undefined) made.add(n);
        setProgress((100 * n) / jobs.length);
      });
      setRefusals(refused);
      const text = fill(texts.admin.bulkJobs.uploaded, { n: uploaded });
      if (uploaded > 0) toastSuccess(text, { id: toast });
      else toastError(refused[0] ?? texts.admin.bulkJobs.noneUploaded, { id: toast });
    } catch (error) {
      toastError(messageOfError(error), { id: toast });
    } finally {
      // What is made must not be made again by the next try, also when the connection broke.
      setJobs(jobs.filter((_job, at) => !made.has(at + 1)));
      setProgress(undefined);
    }
  }
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Typography color="text.secondary">{texts.admin.bulkJobs.fileHelp}</Typography>
      <Box sx={{ maxWidth: 420, display: "grid", gap: 1 }}>
        <OneInput
          source="scenario_id"
          of="database/scenarios"
          helperText={texts.admin.bulkJobs.scenarioHelp}
        />
        <Button href={panelLink(scenario)} sx={{ justifySelf: "start" }}>
          {texts.admin.bulkJobs.oneByOne}
        </Button>
      </Box>
      <Box sx={{ display: "flex", gap: 1, alignItems: "center", flexWrap: "wrap" }}>
        <Button component="label" variant="outlined" startIcon={<UploadIcon />} loading={reading}>
          {texts.admin.bulkJobs.chooseFile}
          <input
            type="file"
            hidden
            accept=".csv,.txt,.tsv,.xlsx,.json,.ndjson,.jsonl"
            onChange={(event) => {
              const file = event.target.files?.[0];
              event.target.value = "";
              if (file) void read(file, file.name);
            }}
          />
        </Button>
        <Button
          variant="contained"
          disabled={jobs.length === 0 || reading || progress !== undefined}
          onClick={() => void upload()}
        >
          {jobs.length > 0
            ? fill(texts.admin.bulkJobs.upload, { n: jobs.length })
            : texts.admin.bulkJobs.uploadNone}
        </Button>
        <Typography color="text.secondary">{fileName}</Typography>
      </Box>
      {progress !== undefined && <LinearProgress variant="determinate" value={Math.min(progress, 100)} />}
      {table !== null && (
        <ReadingOptions
          file={table}
          busy={reading || progress !== undefined}
          onChange={(choice) => void read(table.source, table.name, choice)}
        />
      )}
      {problem && <Alert severity="error">{problem}</Alert>}
      {refusals.length > 0 && (
        <Alert severity="warning">
          {refusals.slice(0, 100).map((text) => (
            <div key={text}>{text}</div>
          ))}
        </Alert>
      )}
      <JobPreview jobs={jobs} />
    </Box>
  );
}

/** The planner's panel that makes one job after the other, with the list of what is there. */
function panelLink(scenario: number | null | undefined): string {
  return scenario ? `/?active_scenario=${scenario}&bulk_create_jobs=scenario` : "/?bulk_create_jobs=pool";
}

/** Streams the jobs up and follows the answer. */
async function send(
  jobs: JobLine[],
  scenario: number | null,
  onLine: (line: Line) => void,
): Promise<{ uploaded: number; refused: string[] }> {
  const refused: string[] = [];
  let uploaded = 0;
  await requestLines(
    "/jobs/bulk_upload",
    {
      method: "POST",
      query: { scenario_id: scenario },
      body: toLines(jobs),
      headers: { "Content-Type": "application/x-ndjson" },
      quiet: true,
    },
    (answer) => {
      const line = answer as Line;
      if (line.title?.includes("401")) endSession();
      if (line.title) refused.push(line.description ?? line.title);
      if (line.n !== undefined) onLine(line);
      if (line.done) uploaded = line.uploaded ?? 0;
    },
  );
  return { uploaded, refused };
}
