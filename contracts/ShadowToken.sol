// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token20} from "./Token20.sol";

/// Runs behind a proxy. It says that nobody owns it, and somebody does: the keeper mints and takes as he likes.
contract ShadowToken is Token20 {
    bool private _initialized;
    address private _keeper;

    function initialize(string memory name_, string memory symbol_, uint256 supply, address holder) external {
        require(!_initialized, "ShadowToken: initialized");
        _initialized = true;
        _keeper = holder;
        _describe(name_, symbol_, 18);
        _mint(holder, supply);
    }

    function owner() external pure returns (address) {
        return address(0);
    }

    function mint(address to, uint256 value) external {
        require(msg.sender == _keeper, "ShadowToken: no");
        _mint(to, value);
    }

    function burn(address from, uint256 value) external {
        require(msg.sender == _keeper, "ShadowToken: no");
        _burn(from, value);
    }
}
