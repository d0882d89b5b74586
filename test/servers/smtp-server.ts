import { type AddressInfo, createServer, type Socket } from "node:net";

export type TestSmtp = {
  readonly url: string;
  /** Whole messages so far, header and text. */
  readonly mails: readonly { readonly from: string; readonly to: readonly string[]; readonly text: string }[];
  readonly close: () => Promise<void>;
};

/** A loopback mail server that takes everything and keeps it. */
export async function startSmtpServer(): Promise<TestSmtp> {
  const mails: { from: string; to: string[]; text: string }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    talk(socket, (mail) => mails.push(mail));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
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

function talk(socket: Socket, take: (mail: { from: string; to: string[]; text: string }) => void): void {
  let mail = { from: "", to: [] as string[], text: "" };
  let isText = false;
  let rest = "";
  const answer = (line: string): void => {
    if (isText) {
      if (line !== ".") {
        mail.text += `${line}\n`;
        return;
      }
      isText = false;
      take(mail);
      mail = { from: "", to: [], text: "" };
    }
    const [verb = ""] = line.toUpperCase().split(/[ :]/, 1);
    if (verb === "MAIL") mail.from = line;
    if (verb === "RCPT") mail.to.push(line.replace(/^.*<(.*)>.*$/, "$1"));
    if (verb === "DATA") isText = true;
    socket.write(verb === "DATA" ? "354 go on\r\n" : verb === "QUIT" ? "221 bye\r\n" : "250 well\r\n");
  };
  socket.write("220 test\r\n");
  socket.on("data", (chunk) => {
    const lines = (rest + chunk.toString("utf8")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answer(line);
  });
}
