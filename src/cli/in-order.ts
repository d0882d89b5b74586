/** How values are worked on. */
type Work<T, R> = {
  /** Begins the work on a value. */
  readonly start: (value: T) => Promise<R>;
  /** Values at work and answers that wait for one before them, together: however many come, no more is kept. */
  readonly window: number;
  /** Called when nothing is read until this value is done; null: nothing more comes at all. */
  readonly hurry?: (value: T | null) => void;
};

type Failure = { readonly error: unknown };

type Event<T, R> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "result"; readonly result: R }
  /** Nothing more is read. */
  | { readonly kind: "stop"; readonly failure: Failure | null; readonly isOfWork: boolean };

type State<T, R> = {
  readonly working: { readonly value: T; readonly ending: Promise<Event<T, R>> }[];
  /** What comes next; null: nothing more is read. */
  reading: Promise<Event<T, R>> | null;
  failure: Failure | null;
};

/**
 * The results of work on values in the order of the values, each as soon as those before it are there. After a failure
 * nothing more is read: what was begun and succeeds is given, then it throws.
 */
export async function* inOrder<T, R>(values: AsyncIterable<T>, work: Work<T, R>): AsyncGenerator<R> {
  const source = values[Symbol.asyncIterator]();
  const state: State<T, R> = { working: [], reading: nextOf<T, R>(source), failure: null };
  for (;;) {
    const event = await nextEvent(state, work);
    if (event === null) break;
    if (event.kind === "value") {
      state.working.push({ value: event.value, ending: endingOf<T, R>(work.start(event.value)) });
      state.reading = nextOf<T, R>(source);
    } else if (event.kind === "result") {
      state.working.shift();
      yield event.result;
    } else stop(state, event);
  }
  if (state.failure !== null) throw state.failure.error;
}

/** What happens next: a value is there, or the first of those at work is done. Null: nothing is left. */
function nextEvent<T, R>(
  { working, reading }: State<T, R>,
  { window, hurry }: Work<T, R>,
): Promise<Event<T, R>> | null {
  const [head] = working;
  if (head === undefined) return reading;
  if (reading !== null && working.length < window) return Promise.race([head.ending, reading]);
  hurry?.(reading === null ? null : head.value);
  return head.ending;
}

function stop<T, R>(state: State<T, R>, { failure, isOfWork }: Extract<Event<T, R>, { kind: "stop" }>): void {
  state.reading = null;
  state.failure ??= failure;
  if (isOfWork) state.working.shift();
}

/** What comes next; never rejects. */
const nextOf = <T, R>(source: AsyncIterator<T>): Promise<Event<T, R>> =>
  source.next().then(
    ({ done, value }) =>
      done === true ? { kind: "stop", failure: null, isOfWork: false } : { kind: "value", value },
    (error: unknown) => ({ kind: "stop", failure: { error }, isOfWork: false }),
  );

/** How the work ends; never rejects. */
const endingOf = <T, R>(work: Promise<R>): Promise<Event<T, R>> =>
  work.then(
    (result) => ({ kind: "result", result }),
    (error: unknown) => ({ kind: "stop", failure: { error }, isOfWork: true }),
  );
