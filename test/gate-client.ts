import { Agent, type IncomingHttpHeaders, request } from "node:http";

export type GateAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

export type GateQuestion = {
  readonly port: number;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
  /** Loopback address to ask from. */
  readonly from?: string;
};

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** One request as a proxy makes it. */
export function askServer(question: GateQuestion): Promise<GateAnswer> {
  const { port, path = "/api/gate", method = "GET", headers = {}, body, from } = question;
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, headers };
    const call = request(
      from === undefined ? { ...options, agent } : { ...options, agent: false, localAddress: from },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
        response.on("error", reject);
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

/** What is said of an address at an exact path of the gate. */
export const actionOf = ({ status, headers }: GateAnswer): string =>
  `${status} ${headers["x-repute-action"] ?? ""}`.trim();
