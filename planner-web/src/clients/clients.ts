import { type Client, resource } from "@routewright/web";

/** The clients of the organisation. */
export const clients = resource<Client>("/clients");
