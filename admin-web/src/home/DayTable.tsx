import { Table, TableBody, TableCell, TableContainer, TableHead, TableRow } from "@mui/material";
import { dateText, texts } from "@routewright/web";
import type { ReactNode } from "react";
import { type DayFigures, type Measure, nameOf, type Units, valueText } from "./figures.ts";

/** The same figures as numbers, for who cannot see the charts or wants to know exactly. */
export function DayTable({
  days,
  measures,
  units,
}: {
  days: DayFigures[];
  measures: Measure[];
  units: Units;
}): ReactNode {
  return (
    <TableContainer tabIndex={0} role="region" aria-label={texts.admin.home.asTable}>
      <Table>
        <TableHead>
          <TableRow>
            <TableCell>{texts.admin.shared.date}</TableCell>
            <TableCell align="right">{texts.admin.home.runs}</TableCell>
            <TableCell align="right">{texts.admin.shared.jobs}</TableCell>
            {measures.map((measure) => (
              <TableCell key={`${measure.key} ${measure.currency ?? ""}`} align="right">
                {nameOf(measure, measures)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {days.toReversed().map((day) => (
            <TableRow key={day.date}>
              <TableCell component="th" scope="row">
                {dateText(day.date)}
              </TableCell>
              <TableCell align="right">{day.runs}</TableCell>
              <TableCell align="right">{day.jobs}</TableCell>
              {measures.map((measure) => (
                <TableCell key={`${measure.key} ${measure.currency ?? ""}`} align="right">
                  {valueText(measure, measure.of(day, units.distance), units)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
