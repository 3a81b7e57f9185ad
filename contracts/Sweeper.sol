// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Owned} from "./Owned.sol";
import {Token20} from "./Token20.sol";

/// Takes everything of several tokens that somebody let it take: what a drainer does. Also runs foreign code as its own.
contract Sweeper is Owned {
    function sweep(Token20[] calldata tokens, address from, address to) external onlyOwner {
        for (uint256 i = 0; i < tokens.length; i++) tokens[i].transferFrom(from, to, tokens[i].balanceOf(from));
    }

    function run(address code, bytes calldata data) external onlyOwner returns (bytes memory answer) {
        bool ok;
        (ok, answer) = code.delegatecall(data);
        require(ok, "Sweeper: the code failed");
    }
}
