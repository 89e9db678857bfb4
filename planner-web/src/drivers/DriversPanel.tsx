import AddIcon from "@mui/icons-material/Add";
import EditIcon from "@mui/icons-material/EditOutlined";
import ImportIcon from "@mui/icons-material/FileUploadOutlined";
import WarningIcon from "@mui/icons-material/WarningAmber";
import {
  Box,
  Button,
  Checkbox,
  IconButton,
  List,
  ListItem,
  ListItemButton,
  ListItemText,
  Tooltip,
  Typography,
} from "@mui/material";
import { type Driver, fill, shortTime, sizeWords, texts, useLevel } from "@routewright/web";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef, useState } from "react";
import { Swatch } from "../fields/ColourField.tsx";
import { usePlanContext } from "../plan/context.ts";
import { openDialog } from "../plan/dialogs.ts";
import { DriverName } from "../plan/DriverName.tsx";
import { chooseDrivers } from "../plan/selection.ts";
import { scenarios } from "../plan/queries.ts";
import { keys } from "../plan/keys.ts";
import { queryClient } from "../ui/query-client.ts";
import { PanelHead } from "../ui/PanelHead.tsx";
import { useChosenDrivers } from "./active.ts";

/** Drivers of the organisation; the ticked ones take part in the optimisation. */
export function DriversPanel(): ReactNode {
  const { drivers, chosen } = useChosenDrivers();
  const { scenario } = usePlanContext();
  const [search, setSearch] = useState("");
  const writes = useLevel("drivers_write");
  const writesScenario = useLevel("scenarios_write");
  const asked = search.trim().toLowerCase();
  const shown = drivers.filter(({ uid, email }) => `${uid} ${email ?? ""}`.toLowerCase().includes(asked));
  const all = drivers.length > 0 && drivers.every(({ id }) => chosen.has(id));

  const choose = (ids: Iterable<number>): void => {
    const list = [...ids];
    chooseDrivers(list);
    if (scenario === null || !writesScenario) return;
    // The scenario remembers its drivers, so that they are ticked again tomorrow.
    void scenarios
      .change(scenario.id, { default_active_driver_ids: list }, { quiet: true })
      .then((changed) => queryClient.setQueryData(keys.scenario(changed.id), changed))
      .catch(() => undefined);
  };
  const toggle = (id: number): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };

  return (
    <>
      <PanelHead
        title={texts.drivers.title}
        note={fill(texts.drivers.selected, {
          n: drivers.filter(({ id }) => chosen.has(id)).length,
          total: drivers.length,
        })}
        search={{ label: texts.drivers.search, value: search, onChange: setSearch }}
        actions={
          writes && (
            <>
              <Tooltip title={texts.drivers.import}>
                <IconButton
                  aria-label={texts.drivers.import}
                  onClick={() => openDialog({ kind: "import-drivers" })}
                >
                  <ImportIcon fontSize="small" />
                </IconButton>
              </Tooltip>
              <Button
                variant="contained"
                startIcon={<AddIcon />}
                onClick={() => openDialog({ kind: "driver", driverId: null })}
              >
                {texts.drivers.add}
              </Button>
            </>
          )
        }
      />
      {drivers.length === 0 ? (
        <Typography color="textSecondary" sx={{ p: 2 }}>
          {texts.drivers.empty}
        </Typography>
      ) : (
        <>
          <Box
            sx={{
              flex: "none",
              display: "flex",
              alignItems: "center",
              px: 0.75,
              borderBottom: 1,
              borderColor: "divider",
            }}
          >
            <Checkbox
              checked={all}
              indeterminate={!all && chosen.size > 0}
              onChange={(_, checked) => choose(checked ? drivers.map(({ id }) => id) : [])}
              slotProps={{ input: { "aria-label": texts.drivers.selectAll } }}
            />
            <Typography variant="body2">{texts.drivers.selectAll}</Typography>
          </Box>
          <DriverList drivers={shown} chosen={chosen} onToggle={toggle} editable={writes} />
        </>
      )}
    </>
  );
}

interface DriverListProps {
  drivers: readonly Driver[];
  chosen: ReadonlySet<number>;
  onToggle: (id: number) => void;
  editable: boolean;
}

/** Pixels of a row. */
const ROW = 58;

/** Only the rows that are seen. */
function DriverList({ drivers, chosen, onToggle, editable }: DriverListProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: drivers.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 4,
    // Rows measured while React draws must not draw again at once.
    useFlushSync: false,
  });
  return (
    <Box ref={scroller} sx={{ flex: 1, overflow: "auto", minHeight: 0 }}>
      <List disablePadding sx={{ position: "relative" }} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const driver = drivers[index];
          return driver === undefined ? null : (
            <DriverRow
              key={driver.id}
              driver={driver}
              index={index}
              measure={rows.measureElement}
              top={start}
              checked={chosen.has(driver.id)}
              onToggle={() => onToggle(driver.id)}
              editable={editable}
            />
          );
        })}
      </List>
    </Box>
  );
}

interface DriverRowProps {
  driver: Driver;
  index: number;
  measure: (element: Element | null) => void;
  /** Pixels. */
  top: number;
  checked: boolean;
  onToggle: () => void;
  editable: boolean;
}

function DriverRow(props: DriverRowProps): ReactNode {
  const { driver, index, measure, top, checked, onToggle, editable } = props;
  const capacity = driver.capacity === "0" ? null : driver.capacity;
  const facts = [
    `${shortTime(driver.shift_start)}–${shortTime(driver.shift_end)}`,
    sizeWords(capacity),
    driver.spec_type,
  ];
  return (
    <ListItem
      ref={measure}
      data-index={index}
      disablePadding
      divider
      sx={{ position: "absolute", top: 0 }}
      style={{ transform: `translateY(${top}px)` }}
      secondaryAction={
        editable && (
          <IconButton
            edge="end"
            aria-label={`${texts.drivers.edit} ${driver.uid}`}
            onClick={() => openDialog({ kind: "driver", driverId: driver.id })}
          >
            <EditIcon fontSize="small" />
          </IconButton>
        )
      }
    >
      <ListItemButton component="label" role={undefined} tabIndex={-1} sx={{ px: 0.75 }}>
        <Checkbox checked={checked} onChange={onToggle} slotProps={{ input: { "aria-label": driver.uid } }} />
        <ListItemText
          primary={
            <Box component="span" sx={{ display: "flex", alignItems: "center", gap: 0.75 }}>
              {driver.route_colour !== null && <Swatch colour={driver.route_colour} />}
              {driver.uid}
              <DriverName of={driver} />
              {driver.location === null && (
                <Tooltip title={texts.drivers.noDepot}>
                  <WarningIcon color="warning" sx={{ fontSize: 16 }} />
                </Tooltip>
              )}
            </Box>
          }
          secondary={facts.filter((fact) => fact !== null && fact !== "").join(" · ")}
        />
      </ListItemButton>
    </ListItem>
  );
}
