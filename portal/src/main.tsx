import { render } from "preact";
import { restoreSession } from "./account/session.ts";
import { App } from "./app.tsx";
import { keepFocus } from "./focus.ts";
import { followLinks } from "./navigation.ts";
import { followPrinting } from "./print.ts";
import { followTheme } from "./theme.ts";
import "./styles/portal.css";

followTheme();
followPrinting();
followLinks();
keepFocus();
void restoreSession();
const page = document.getElementById("page");
if (page !== null) render(<App />, page);
