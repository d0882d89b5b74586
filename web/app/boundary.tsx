import { Component } from "react";
import { Failure } from "../ui/states.tsx";

type Props = { readonly children: React.ReactNode };
type State = { readonly error: unknown };

/** Keeps a page that fails, or a chunk that does not arrive, from taking the rest along. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): React.ReactNode {
    if (this.state.error === null) return this.props.children;
    return <Failure error={this.state.error} onRetry={() => location.reload()} />;
  }
}
