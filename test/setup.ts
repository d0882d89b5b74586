import net from "node:net";

// No test may reach beyond loopback: a socket that tries fails the run, whatever the code under test makes of it.
const LOOPBACK = /^(127\.|::1$|::ffff:127\.|localhost$)/;
const connect = net.Socket.prototype.connect;

// Files that share a worker share its sockets: one guard is enough.
if (connect.name !== guarded.name) net.Socket.prototype.connect = guarded;

function guarded(this: net.Socket, ...args: unknown[]) {
  const host = hostOf(args);
  if (host !== undefined && !LOOPBACK.test(host)) {
    const fault = new Error(`A test tried to connect to ${host}`);
    // Not caught by what is tested: the runner counts it as a failure.
    setImmediate(() => {
      throw fault;
    });
    throw fault;
  }
  return Reflect.apply(connect, this, args);
}

function hostOf(args: readonly unknown[]): string | undefined {
  const first = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof first === "object" && first !== null && "host" in first) {
    return typeof first.host === "string" ? first.host : undefined;
  }
  return typeof args[1] === "string" ? args[1] : undefined;
}
