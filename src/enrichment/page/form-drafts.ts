import { fold } from "./fold.ts";
import type { PageForm, PageInput } from "./page.ts";
import type { Attributes } from "./tokens.ts";

const MAX_FORMS = 200;
const MAX_INPUTS = 200;
const MAX_BUTTONS = 20;

type FormDraft = { action: string | null; readonly buttonActions: string[]; readonly inputs: PageInput[] };

/** The forms of a page while it is read. */
export type FormsDraft = {
  /** The first 200. */
  readonly forms: FormDraft[];
  formsCount: number;
  inputsCount: number;
  /** The form that is open, and the one that is open where nothing is shown. */
  open: FormDraft | null;
  openHidden: FormDraft | null;
  /** Fields may name their form by its id, also before it comes. */
  readonly byId: Map<string, { readonly form: FormDraft; isThere: boolean }>;
  readonly outside: FormDraft;
};

const emptyForm = (): FormDraft => ({ action: null, buttonActions: [], inputs: [] });

/** No forms yet. */
export const emptyForms = (): FormsDraft => ({
  forms: [],
  formsCount: 0,
  inputsCount: 0,
  open: null,
  openHidden: null,
  byId: new Map(),
  outside: emptyForm(),
});

/** All forms, and the fields outside every form behind them. */
export function formsOf({ forms, byId, outside }: FormsDraft): readonly PageForm[] {
  const strays = [...byId.values()].flatMap(({ form, isThere }) => (isThere ? [] : form.inputs));
  const inputs = [...outside.inputs, ...strays].slice(0, MAX_INPUTS);
  return inputs.length > 0 ? [...forms, { action: null, buttonActions: [], inputs }] : forms;
}

const attribute = (attributes: Attributes, name: string): string => attributes.get(name)?.trim() ?? "";

/** Takes the start of a form in. Inside an open form it is none, as the HTML standard has it (13.2.6.4.7). */
export function startForm(draft: FormsDraft, attributes: Attributes, isHidden: boolean): void {
  if (!isHidden && draft.open !== null) return;
  const form = claimed(draft, attributes.get("id") ?? "");
  form.action = attribute(attributes, "action") || null;
  if (isHidden) draft.openHidden = form;
  else draft.open = form;
  draft.formsCount++;
  if (draft.forms.length < MAX_FORMS) draft.forms.push(form);
}

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
function claimed({ byId }: FormsDraft, id: string): FormDraft {
  const known = byId.get(id);
  if (id === "" || known?.isThere) return emptyForm();
  const form = known?.form ?? emptyForm();
  if (known) known.isThere = true;
  else if (byId.size < MAX_FORMS) byId.set(id, { form, isThere: true });
  return form;
}

function ownerOf(draft: FormsDraft, attributes: Attributes): FormDraft {
  const id = attributes.get("form") ?? "";
  if (id === "") return draft.openHidden ?? draft.open ?? draft.outside;
  const known = draft.byId.get(id);
  if (known) return known.form;
  if (draft.byId.size >= MAX_FORMS) return draft.outside;
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
  const { inputs } = ownerOf(draft, attributes);
  if (inputs.length >= MAX_INPUTS || draft.formsCount > MAX_FORMS) return;
  const hints = HINTS.map((name) => attributes.get(name)?.slice(0, 200) ?? "").join(" ");
  inputs.push({ type, hints: fold(hints.toLowerCase().replaceAll("_", "-")) });
}

/** A button may send the form elsewhere than its action says. */
function addButton(draft: FormsDraft, attributes: Attributes): void {
  const action = attribute(attributes, "formaction");
  if (action === "") return;
  const { buttonActions } = ownerOf(draft, attributes);
  if (buttonActions.length < MAX_BUTTONS) buttonActions.push(action);
}
