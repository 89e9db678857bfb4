/**
 * An OpenID Connect provider for tests; the client `service` gets tokens for itself. It signs in, without asking, whoever the header `x-account` names: a JSON
 * object of claims with at least `sub`. Prints its issuer as the first line.
 *
 *   node server.js {client id} {client secret} {redirect uri} [id_token]
 *
 * With `id_token` it puts the address into the id token; without, as the specification has it, only the user info
 * endpoint tells it.
 */
import { createServer } from "node:http";
import Provider from "oidc-provider";

const [clientId, clientSecret, redirectUri, where] = process.argv.slice(2);
const accounts = new Map();

const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code"],
      response_types: ["code"],
    },
    {
      client_id: "service",
      client_secret: clientSecret,
      token_endpoint_auth_method: "client_secret_post",
      redirect_uris: [],
      grant_types: ["client_credentials"],
      response_types: [],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  conformIdTokenClaims: where !== "id_token",
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false }, clientCredentials: { enabled: true } },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (_, id) => ({ accountId: id, claims: () => accounts.get(id) }),
  loadExistingGrant: async (context) => {
    const { client, session, provider: issuing } = context.oidc;
    const grant = new issuing.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});

/** The page on which a person would type a password. */
async function interact(request, response) {
  const header = request.headers["x-account"];
  if (header === undefined) {
    const refusal = { error: "access_denied", error_description: "cancelled" };
    await provider.interactionFinished(request, response, refusal);
    return;
  }
  const claims = JSON.parse(header);
  accounts.set(claims.sub, claims);
  await provider.interactionFinished(request, response, { login: { accountId: claims.sub } });
}

const answer = provider.callback();
server.on("request", (request, response) => {
  if (!request.url.startsWith("/interaction/")) {
    answer(request, response);
    return;
  }
  interact(request, response).catch((error) => {
    response.writeHead(500).end(String(error));
  });
});
process.stdout.write(`${issuer}\n`);
// Whoever started this has read enough; the library's remarks about development mode go nowhere.
process.stdout.on("error", () => {});
// Ends with the test that started it, however that ends.
process.stdin.on("end", () => process.exit(0)).resume();
