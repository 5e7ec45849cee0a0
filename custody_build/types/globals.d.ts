/** The libraries that the page loads as classic scripts. */
import type { Htmx } from "htmx.org";

type Compiled = Record<string, { root: Function }>;

declare global {
  const htmx: Htmx;
  const nunjucks: {
    Environment: new (loader: object, options: { autoescape: boolean; throwOnUndefined?: boolean }) => {
      render(name: string, context: object): string;
      addFilter(name: string, filter: (...values: any[]) => unknown): void;
      addGlobal(name: string, value: unknown): void;
    };
    PrecompiledLoader: new (templates: Compiled) => object;
    runtime: { SafeString: new (text: string) => String };
  };
}
