// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IssuedToken} from "./IssuedToken.sol";

/// Pauses accounts in the manner of RLUSD: the event carries the account as data.
contract RippleToken is IssuedToken {
    event AccountPaused(address account);
    event AccountUnpaused(address account);

    constructor(string memory name_, string memory symbol_, address issuer_) IssuedToken(name_, symbol_, issuer_) {}

    function accountPaused(address account) external view returns (bool) {
        return blocked[account];
    }

    function pauseAccount(address account) external onlyIssuer {
        blocked[account] = true;
        emit AccountPaused(account);
    }

    function unpauseAccount(address account) external onlyIssuer {
        blocked[account] = false;
        emit AccountUnpaused(account);
    }
}
