import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";

/** A mail that was accepted. */
export interface Mail {
  /** Message-ID, with its brackets. */
  id: string;
  to: string[];
}

/** Longest time that it takes for a mail, milliseconds: so a kill may come before, while and after one is accepted. */
const SLOW = 60;

/** A mail server that accepts everything and outlives the product. */
export class MailServer {
  readonly mails: Mail[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((socket) => {
      let to: string[] = [];
      let text = "";
      let content: string | null = null;
      const say = (line: string): void => void socket.write(`${line}\r\n`);
      const command = (line: string): void => {
        const word = line.slice(0, 4).toUpperCase();
        if (word === "RCPT") to.push(/<(.*)>/.exec(line)?.[1] ?? "");
        if (word === "DATA") content = "";
        if (word === "QUIT") socket.end("221 bye\r\n");
        else say(word === "DATA" ? "354 go on" : word === "EHLO" ? "250 kill" : "250 ok");
      };
      const accept = async (mail: string): Promise<void> => {
        await new Promise((done) => setTimeout(done, Math.random() * SLOW));
        // Accepted, whether or not anybody is there to hear it.
        this.mails.push({ id: /^message-id:\s*(\S+)/im.exec(mail)?.[1] ?? "", to });
        to = [];
        await new Promise((done) => setTimeout(done, Math.random() * SLOW));
        say("250 accepted");
      };
      socket.on("error", () => socket.destroy());
      socket.on("data", (piece) => {
        text += piece.toString("latin1");
        for (;;) {
          if (content === null) {
            const end = text.indexOf("\r\n");
            if (end < 0) return;
            const line = text.slice(0, end);
            text = text.slice(end + 2);
            command(line);
          } else {
            const end = text.indexOf("\r\n.\r\n");
            if (end < 0) return;
            const mail = text.slice(0, end);
            text = text.slice(end + 5);
            content = null;
            void accept(mail);
          }
        }
      });
      say("220 kill ESMTP");
    });
  }

  static async start(): Promise<MailServer> {
    const server = new MailServer();
    await new Promise<void>((done) => server.server.listen(0, "127.0.0.1", done));
    return server;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** How often each address was written to. */
  to(address: string): number {
    return this.mails.filter((mail) => mail.to.includes(address)).length;
  }
}
