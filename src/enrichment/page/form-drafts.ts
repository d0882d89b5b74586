import { fold } from "./fold.ts";
import { natureOf } from "./forms.ts";
import type { PageForm, PageInput } from "./page.ts";
import type { Attributes } from "./tokens.ts";

const MAX_FORMS = 200;
const MAX_INPUTS = 200;
const MAX_BUTTONS = 20;
const MAX_IDS = 10_000;

type FormDraft = {
  action: string | null;
  readonly buttonActions: string[];
  readonly inputs: PageInput[];
  isKept: boolean;
};

/** The forms of a page while it is read. */
export type FormsDraft = {
  /** The first 200, and of those behind them what is like none that was kept. */
  readonly forms: FormDraft[];
  /** What the fields and actions behind the bounds are like. */
  readonly likes: Set<string>;
  /** Whether something was left out that could change what is said of the page. */
  isCut: boolean;
  formsCount: number;
  inputsCount: number;
  /** The form that is open, and the one that is open where nothing is shown. */
  open: FormDraft | null;
  openHidden: FormDraft | null;
  /** Fields may name their form by its id, also before it comes. */
  readonly byId: Map<string, { readonly form: FormDraft; isThere: boolean }>;
  readonly outside: FormDraft;
};

const emptyForm = (): FormDraft => ({ action: null, buttonActions: [], inputs: [], isKept: false });

/** No forms yet. */
export const emptyForms = (): FormsDraft => ({
  forms: [],
  likes: new Set(),
  isCut: false,
  formsCount: 0,
  inputsCount: 0,
  open: null,
  openHidden: null,
  byId: new Map(),
  outside: emptyForm(),
});

/** All forms, and the fields outside every form behind them. */
export function formsOf({ forms: kept, byId, outside }: FormsDraft): readonly PageForm[] {
  const forms = kept.map(({ isKept: _, ...form }): PageForm => form);
  const strays = [...byId.values()].flatMap(({ form, isThere }) => (isThere ? [] : form.inputs));
  const inputs = [...outside.inputs, ...strays];
  return inputs.length > 0 ? [...forms, { action: null, buttonActions: [], inputs }] : forms;
}

export const attribute = (attributes: Attributes, name: string): string => attributes.get(name)?.trim() ?? "";

/** Takes the start of a form in. Inside an open form it is none, as the HTML standard has it (13.2.6.4.7). */
export function startForm(draft: FormsDraft, attributes: Attributes, isHidden: boolean): void {
  if (!isHidden && draft.open !== null) return;
  const form = claimed(draft, attributes.get("id") ?? "");
  form.action = attribute(attributes, "action") || null;
  if (isHidden) draft.openHidden = form;
  else draft.open = form;
  draft.formsCount++;
  if (draft.formsCount <= MAX_FORMS || isNovel(draft, `form ${originOf(form.action)}`)) keep(draft, form);
}

function keep(draft: FormsDraft, form: FormDraft): void {
  if (form.isKept) return;
  form.isKept = true;
  draft.forms.push(form);
}

/**
 * Whether something behind a bound is to be kept after all, as nothing like it was: a page must not hide a field that asks
 * for a password, or the address that takes it, behind hundreds of idle ones.
 */
function isNovel(draft: FormsDraft, like: string): boolean {
  if (draft.likes.has(like)) return false;
  if (draft.likes.size >= MAX_LIKES) draft.isCut = true;
  else draft.likes.add(like);
  return !draft.isCut;
}

const MAX_LIKES = 500;
const OWN = "https://own.invalid/";
/** Whose server an address names; one without a host is the page's own. */
const originOf = (action: string | null): string => URL.parse(action ?? "", OWN)?.origin ?? "";

/** Takes the end of a form in. */
export function endForm(draft: FormsDraft, isHidden: boolean): void {
  if (isHidden) draft.openHidden = null;
  else draft.open = null;
}

/** Takes the end of what is not shown in. */
export function endHidden(draft: FormsDraft): void {
  draft.openHidden = null;
}

/** The first form of an id has the fields that name it. */
function claimed(draft: FormsDraft, id: string): FormDraft {
  const { byId } = draft;
  const known = byId.get(id);
  if (id === "" || known?.isThere) return emptyForm();
  const form = known?.form ?? emptyForm();
  if (known) known.isThere = true;
  else if (byId.size < MAX_IDS) byId.set(id, { form, isThere: true });
  else draft.isCut = true;
  return form;
}

function ownerOf(draft: FormsDraft, attributes: Attributes): FormDraft {
  const id = attributes.get("form") ?? "";
  if (id === "") return draft.openHidden ?? draft.open ?? draft.outside;
  const known = draft.byId.get(id);
  if (known) return known.form;
  if (draft.byId.size >= MAX_IDS) {
    draft.isCut = true;
    return draft.outside;
  }
  const form = emptyForm();
  draft.byId.set(id, { form, isThere: false });
  return form;
}

const HINTS = ["name", "id", "autocomplete", "placeholder", "aria-label", "title"];
/** Types without typed text. */
const SILENT = new Set(["hidden", "submit", "button", "reset", "image", "checkbox", "radio"]);

/** Takes a field or a button in. `type` is that of the HTML standard; `textarea` and `select` are their own. */
export function addControl(draft: FormsDraft, type: string, attributes: Attributes): void {
  if (type === "submit" || type === "image") addButton(draft, attributes);
  if (SILENT.has(type)) return;
  draft.inputsCount++;
  const form = ownerOf(draft, attributes);
  const hints = HINTS.map((name) => attributes.get(name)?.slice(0, 200) ?? "").join(" ");
  const input = { type, hints: fold(hints.toLowerCase().replaceAll("_", "-")) };
  const isWithin = form.inputs.length < MAX_INPUTS;
  if (!isWithin || isBehind(draft, form)) {
    if (!isNovel(draft, `${natureOf(input)} ${originOf(form.action)}`)) return;
    if (form !== draft.outside) keep(draft, form);
  }
  form.inputs.push(input);
}

/** Whether it is none of the first forms. */
const isBehind = ({ formsCount }: FormsDraft, { isKept }: FormDraft): boolean =>
  !isKept && formsCount > MAX_FORMS;

/** A button may send the form elsewhere than its action says. */
function addButton(draft: FormsDraft, attributes: Attributes): void {
  const action = attribute(attributes, "formaction");
  if (action === "") return;
  const form = ownerOf(draft, attributes);
  if (form.buttonActions.length < MAX_BUTTONS || isNovel(draft, `button ${originOf(action)}`))
    form.buttonActions.push(action);
}
