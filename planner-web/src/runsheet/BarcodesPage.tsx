import { Alert, Box, Button, Card, LinearProgress, Typography } from "@mui/material";
import { fill, texts } from "@routewright/web";
import JsBarcode from "jsbarcode";
import { type ReactNode, useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { useSheet } from "./use-sheet.ts";

/**
 * The units of a run as Code 128, for labels that cannot be scanned. The `env` parameter of older links is
 * not followed: a host named in a link could collect run sheet tokens.
 */
export function BarcodesPage(): ReactNode {
  const [parameters] = useSearchParams();
  const { sheet, problem } = useSheet(parameters.get("token") ?? "");
  if (sheet === null) {
    return problem === null ? (
      <LinearProgress aria-label={texts.common.loading} />
    ) : (
      <Alert severity="error">{problem}</Alert>
    );
  }
  return (
    <Box component="main" sx={{ p: 2, maxWidth: 640, mx: "auto", display: "grid", gap: 2 }}>
      <Box sx={{ display: "flex", alignItems: "center" }}>
        <Typography component="h1" variant="h6" sx={{ flex: 1 }}>
          {texts.runsheet.barcodes} – {sheet.run.uid}
        </Typography>
        <Button onClick={() => window.print()} sx={{ "@media print": { display: "none" } }}>
          {texts.common.print}
        </Button>
      </Box>
      {sheet.jobs.flatMap((job) =>
        job.units.map((unit) => (
          <Card
            key={unit.id}
            variant="outlined"
            sx={{ p: 2, display: "grid", justifyItems: "center", gap: 1 }}
          >
            <Typography variant="body2" color="textSecondary">
              {fill(texts.runsheet.stop, { seq: job.seq })} · {job.customer_name ?? job.uid}
            </Typography>
            <Barcode value={unit.uid} />
          </Card>
        )),
      )}
    </Box>
  );
}

function Barcode({ value }: { value: string }): ReactNode {
  const canvas = useRef<SVGSVGElement>(null);
  useEffect(() => {
    if (canvas.current !== null)
      JsBarcode(canvas.current, value, { format: "CODE128", height: 70, background: "#ffffff" });
  }, [value]);
  return <svg ref={canvas} role="img" aria-label={value} />;
}
