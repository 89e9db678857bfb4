const baseUrl = process.env["PRODUCT_URL"] ?? "http://127.0.0.1:8080";

/** Calls of one signed-in user, or of nobody. */
export class Client {
  constructor(readonly token = "") {}

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = {};
    if (this.token !== "") headers["authorization"] = `Bearer ${this.token}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }

  get<T>(path: string): Promise<T> {
    return this.call<T>("GET", path);
  }
}

/** Makes an organisation with its administrator. */
export async function signUp(name: string): Promise<Client> {
  const { token } = await new Client().call<{ token: string }>("POST", "/users/register", {
    email: `${name}@bench.example`,
    password: `Rehearsal-${name}-2026`,
    first_name: "Rita",
    last_name: "Ensaio",
    organisation_name: `Bench ${name}`,
    timezone: "Europe/Lisbon",
  });
  return new Client(token);
}
