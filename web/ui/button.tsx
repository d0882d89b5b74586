import "./button.css";

export type ButtonProps = React.ComponentProps<"button"> & {
  readonly tone?: "primary" | "plain" | "danger" | "quiet" | undefined;
  /** Work goes on: the button stays where it is, says so and takes no second press. */
  readonly isBusy?: boolean | undefined;
};

/** A button; its words are a verb. */
export function Button({ tone = "plain", isBusy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={["button", className].filter(Boolean).join(" ")}
      data-tone={tone}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        // The second press of a double click may come before the button says that it is busy, or after the work is done.
        const isRepeated = isBusy !== undefined && event.detail > 1;
        if (isBusy || isRepeated) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
      {isBusy && <span className="button-busy" aria-hidden="true" />}
    </button>
  );
}
