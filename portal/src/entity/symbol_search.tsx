import type { ToolAnswer } from "../api/answer.ts";
import { Block } from "../ui/block.tsx";
import { WithPrices } from "../ui/prices.tsx";

const TOOL = "resolve_token_symbol";

/** Tokens with this symbol. Any token can use it, so the list shows what distinguishes them. */
export const SymbolSearch = ({ symbol }: { readonly symbol: string }) => (
  <div class="found">
    <WithPrices>
      {({ prices, onPrices }) => (
        <Block
          title={`Tokens called ${symbol}`}
          question={{ tool: TOOL, args: { symbol } }}
          prices={prices}
          onPrices={onPrices}
          more={(answer: ToolAnswer) =>
            answer.status === "data" ? <p class="hint">Open a token by its address in the list.</p> : null
          }
        />
      )}
    </WithPrices>
  </div>
);
