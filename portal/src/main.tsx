import { render } from "preact";
import { restoreSession } from "./account/session.ts";
import { App } from "./app.tsx";
import { followLinks } from "./navigation.ts";
import { followTheme } from "./theme.ts";
import "./styles/portal.css";

followTheme();
followLinks();
void restoreSession();
const page = document.getElementById("page");
if (page !== null) render(<App />, page);
