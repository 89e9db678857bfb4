import { texts } from "@routewright/web";
import AddIcon from "@mui/icons-material/Add";
import { Box, Button } from "@mui/material";
import { DataTable, Link, ReferenceManyField, useCreatePath, useRecordContext } from "react-admin";
import { Cell } from "../../resource/Cell.tsx";
import { columnLabel } from "../../resource/labels.ts";
import { driverConfigs } from "../driver-configs/noun.tsx";
import { Group } from "../../inputs/index.ts";

/** The driver's variants: other shifts or vehicles on some days. */
export function DriverVariants() {
  const driver = useRecordContext();
  const createPath = useCreatePath();
  if (!driver) return null;
  return (
    <Group title={texts.admin.drivers.variants} note={texts.admin.drivers.variantsNote}>
      <ReferenceManyField
        reference={driverConfigs.name}
        target="driver_id"
        perPage={25}
        empty={texts.admin.drivers.noVariants}
      >
        <Box sx={{ overflowX: "auto" }}>
          <DataTable bulkActionButtons={false} rowClick="edit">
            {driverConfigs.columns
              .filter((column) => column.source !== "driver_id")
              .map((column) => (
                <DataTable.Col
                  key={column.source}
                  source={column.source}
                  label={columnLabel(column)}
                  disableSort
                >
                  <Cell column={column} />
                </DataTable.Col>
              ))}
          </DataTable>
        </Box>
      </ReferenceManyField>
      <Button
        component={Link}
        to={createPath({ resource: driverConfigs.name, type: "create" })}
        state={{ record: { driver_id: driver.id } }}
        startIcon={<AddIcon />}
        sx={{ mt: 1 }}
      >
        {texts.admin.drivers.addVariant}
      </Button>
    </Group>
  );
}
