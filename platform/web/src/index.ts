export * from "./access/access.ts";
export { Guard, type GuardProps } from "./access/Guard.tsx";
export * from "./access/levels.ts";
export { levelsOf, mayCall } from "./access/paths.ts";
export { API_BASE, apiUrl } from "./api/base.ts";
export { answer, api, quietApi } from "./api/client.ts";
export { RunBill, type RunBillProps } from "./bills/RunBill.tsx";
export { saveFile } from "./api/download.ts";
export * from "./api/error.ts";
export { chunks, ID_CHUNK, type Query, queryString, type QueryValue } from "./api/query.ts";
export {
  request,
  requestAll,
  requestBlob,
  requestByIds,
  requestLines,
  type RequestOptions,
} from "./api/request.ts";
export { type Resource, resource } from "./api/resource.ts";
export { type Method, send, type Sending } from "./api/send.ts";
export { successText } from "./api/success-text.ts";
export { watchWrites, type Write, type WriteWatch } from "./api/writes.ts";
export { onReconnected, useConnection } from "./feedback/connection.ts";
export { ConnectionNotice } from "./feedback/ConnectionNotice.tsx";
export { ErrorBoundary, ThrownError } from "./feedback/ErrorFallback.tsx";
export { lazyPart } from "./feedback/lazy-part.tsx";
export { ASKED_AFTER, questionAfter } from "./feedback/meant.ts";
export { type Refused, refusedOf } from "./feedback/refused.ts";
export { PlainToasts } from "./feedback/PlainToasts.tsx";
export { startTelemetry } from "./feedback/telemetry.ts";
export { Toasts } from "./feedback/Toasts.tsx";
export * from "./feedback/toasts.ts";
export { watchForUpdates } from "./feedback/update.ts";
export * from "./files/read-file.ts";
export { ReadingOptions, type ReadingOptionsProps } from "./files/ReadingOptions.tsx";
export * from "./forms/checks.ts";
export * from "./forms/schemas.ts";
export { DayField, type DayFieldProps } from "./forms/DayField.tsx";
export * from "./forms/place.ts";
export { PlaceField, type PlaceFieldProps, type PickPlaceProps } from "./forms/PlaceField.tsx";
export { matchText } from "./forms/PlaceOption.tsx";
export { measuresOf } from "./forms/size-amounts.ts";
export { SizeField, type SizeFieldProps } from "./forms/SizeField.tsx";
export { useWidth, type Width, widthOf } from "./layout/width.ts";
export { type Fact, Facts } from "./layout/Facts.tsx";
export { LicencesLink } from "./layout/LicencesLink.tsx";
export * from "./model/index.ts";
export { organisationNow, useOrganisationNow } from "./rehearsal/clock.ts";
export { RehearsalDialog, type RehearsalDialogProps } from "./rehearsal/RehearsalDialog.tsx";
export { useMayRehearse } from "./rehearsal/rehearsal.ts";
export { ConsentDialog } from "./session/ConsentDialog.tsx";
export { Mark } from "./session/Mark.tsx";
export { OrganisationBanner } from "./session/OrganisationBanner.tsx";
export { takeNextPage } from "./session/next-page.ts";
export { renewToken } from "./session/renew.ts";
export * from "./session/session.ts";
export { askToSignIn, endSession, signOut } from "./session/sign-out.ts";
export { SignIn } from "./session/SignIn.tsx";
export { session, type SessionState, useSession, type WorkingOrganisation } from "./session/store.ts";
export { expiryOf } from "./session/tokens.ts";
export { fill, texts } from "./texts/index.ts";
export { AppTheme } from "./theme/AppTheme.tsx";
export { ColourModeSwitch } from "./theme/ColourModeSwitch.tsx";
export { atNight, inkOn } from "./theme/ink.ts";
export { JOB_COLOUR, ROUTE_PALETTE, theme } from "./theme/theme.ts";
export { newId, randomUid } from "./units/ids.ts";
export { driverName, personName } from "./units/names.ts";
export { parseSize, sizeText as sizeClauseText, type SizeClause, sizeWords, sumSizes } from "./units/size.ts";
export * from "./units/time.ts";
export * from "./units/units.ts";
