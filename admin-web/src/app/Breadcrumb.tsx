import { texts, fill, useWidth } from "@routewright/web";
import { Breadcrumbs, Link, Typography } from "@mui/material";
import { useEffect } from "react";
import { type RaRecord, useGetOne } from "react-admin";
import { Link as RouterLink, useLocation } from "react-router";
import { represent } from "../data/noun.ts";
import { findNoun } from "../resource/registry.ts";
import { findInMenu, MENU } from "./menu.ts";

/** Where the user is: Admin, group, page, and the record or its creation. */
export function Breadcrumb() {
  const { pathname } = useLocation();
  const crumbs = crumbsOf(pathname, useRecordName(pathname));
  const width = useWidth();
  const here = crumbs.map((crumb) => crumb.text).join(" · ");
  useEffect(() => {
    document.title = here ? fill(texts.admin.shell.pageTitle, { page: here }) : texts.admin.shell.title;
  }, [here]);
  return (
    <Breadcrumbs
      aria-label={texts.admin.shell.breadcrumb}
      maxItems={width === "mobile" ? 2 : 6}
      sx={{ fontSize: 13, minWidth: 0, "& ol": { flexWrap: "nowrap" }, "& li": { whiteSpace: "nowrap" } }}
    >
      <Link component={RouterLink} to="/" underline="hover" color="inherit">
        {texts.admin.shell.admin}
      </Link>
      {crumbs.map(({ text, to }, index) =>
        to && index < crumbs.length - 1 ? (
          <Link key={text} component={RouterLink} to={to} underline="hover" color="inherit">
            {text}
          </Link>
        ) : (
          <Typography
            key={text}
            variant="body2"
            color={index === crumbs.length - 1 ? "text.primary" : undefined}
          >
            {text}
          </Typography>
        ),
      )}
    </Breadcrumbs>
  );
}

/** How the record of the open page is called; nothing on other pages, and before it is read. */
function useRecordName(pathname: string): string | undefined {
  const [first = "", second = "", id = ""] = pathname.replace(/^\/+|\/+$/g, "").split("/");
  const noun = findNoun(`${first}/${second}`);
  const { data } = useGetOne<RaRecord>(
    noun?.name ?? "",
    { id: decodeURIComponent(id) },
    { enabled: noun !== undefined && id !== "" && id !== "create", retry: false },
  );
  return noun && data && represent(noun, data);
}

/** The crumbs after Admin; `name` is that of the record, when it is known. */
export function crumbsOf(pathname: string, name?: string): { text: string; to?: string }[] {
  const path = pathname.replace(/^\/+|\/+$/g, "");
  const [first = "", second = "", tail] = path.split("/");
  const noun = findNoun(`${first}/${second}`);
  const place = findInMenu(MENU, path);
  if (!place && !noun) return [];
  const list = noun?.name ?? place?.item.path ?? path;
  const page = { text: place?.item.label ?? noun?.plural ?? "", to: `/${list}` };
  const group = place && place.group.label !== page.text ? [{ text: place.group.label }] : [];
  const last =
    noun && tail !== undefined
      ? [{ text: tail === "create" ? texts.common.add : (name ?? `#${decodeURIComponent(tail)}`) }]
      : [];
  return [...group, page, ...last];
}
