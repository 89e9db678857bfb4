import { Box, Button, Typography } from "@mui/material";
import { texts } from "@routewright/web";
import { Title } from "react-admin";
import { Link } from "react-router";

/** Any path that is none. */
export function NotFound() {
  return (
    <Box sx={{ py: 10, textAlign: "center" }}>
      <Title title={texts.common.notFoundTitle} />
      <Typography variant="h2" component="p" color="text.secondary">
        404
      </Typography>
      <Typography sx={{ my: 2 }}>{texts.common.notFound}</Typography>
      <Button component={Link} to="/" variant="contained">
        {texts.admin.shell.admin}
      </Button>
    </Box>
  );
}
