import { type AddressInfo, createServer, type Socket } from "node:net";

export type TestSmtp = {
  readonly url: string;
  /** Whole messages so far, header and text. */
  readonly mails: readonly { readonly from: string; readonly to: readonly string[]; readonly text: string }[];
  readonly close: () => Promise<void>;
};

/**
 * What a server says instead of its usual answer to a verb, to `GREETING` when it is connected to, and to `.` behind a mail. Null:
 * it says nothing; undefined: as usual.
 */
type OddReply = (verb: string, socket: Socket) => string | null | undefined;

/** A loopback mail server that takes everything and keeps it, unless `odd` says otherwise. `port`: default any. */
export async function startSmtpServer({
  odd = () => undefined,
  port: wanted = 0,
}: {
  readonly odd?: OddReply;
  readonly port?: number;
} = {}): Promise<TestSmtp> {
  const mails: { from: string; to: string[]; text: string }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    talk(socket, odd, (mail) => mails.push(mail));
  });
  await new Promise<void>((resolve) => server.listen(wanted, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

type Mail = { from: string; to: string[]; text: string };

const USUAL: Readonly<Record<string, string>> = { GREETING: "220 test", DATA: "354 go on", QUIT: "221 bye" };

function talk(socket: Socket, odd: OddReply, take: (mail: Mail) => void): void {
  let mail: Mail = { from: "", to: [], text: "" };
  let isText = false;
  let rest = "";
  /** Whether it was well. */
  const reply = (verb: string): boolean => {
    const usual = USUAL[verb] ?? "250 well";
    const said = odd(verb, socket);
    const line = said === undefined ? usual : said;
    if (line !== null) socket.write(`${line}\r\n`);
    return line === usual;
  };
  const endMail = (): void => {
    isText = false;
    if (reply(".")) take(mail);
    mail = { from: "", to: [], text: "" };
  };
  const answer = (line: string): void => {
    if (isText) {
      if (line === ".") endMail();
      else mail.text += `${line}\n`;
      return;
    }
    const [verb = ""] = line.toUpperCase().split(/[ :]/, 1);
    const isWell = reply(verb);
    if (verb === "MAIL") mail.from = line;
    if (verb === "RCPT") mail.to.push(line.replace(/^.*<(.*)>.*$/, "$1"));
    if (verb === "DATA") isText = isWell;
  };
  reply("GREETING");
  socket.on("data", (chunk) => {
    const lines = (rest + chunk.toString("utf8")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answer(line);
  });
}
